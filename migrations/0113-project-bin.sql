-- kind: expand
-- A deleted project that can be restored for a while. Its name is free meanwhile: `name` is then "deleted:<id>" after a control character, and
-- `deleted_name` the name that a restore gives back.
alter table projects add column deleted_at timestamptz;
alter table projects add column deleted_name text;
