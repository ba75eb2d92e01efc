-- kind: expand
-- What the chores of the installation need in order to read only candidates, and to run on one node at a time.

-- Blobs that lost a reference. A digest may be listed several times: a reference that another transaction deletes adds a row even if the sweep
-- is looking at an earlier one.
create table released_blobs (
  id      bigint generated always as identity primary key,
  digest  text not null
);
create function list_released_blobs() returns trigger language plpgsql as $$
begin
  insert into released_blobs (digest) select distinct digest from gone;
  return null;
end $$;
create trigger blob_refs_released after delete on blob_refs
  referencing old table as gone for each statement execute function list_released_blobs();

-- The time up to which a sweep has examined its rows, and when it last examined all of them.
create table sweep_marks (
  name         text primary key,
  reached      timestamptz not null,
  complete_at  timestamptz not null
);

-- When a chore of the installation last ran, on any node.
create table chores (
  name    text primary key,
  ran_at  timestamptz not null
);
