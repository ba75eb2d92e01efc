-- kind: expand
-- The same for attempts to settle a job.
alter table jobs add column settle_excused int not null default 0;
