-- Problems of the rows of a slice, without row values: gzipped JSON, written when the slice is finished and kept as
-- long as the job record. The blobs of a job are deleted after a day, but its problem rows must outlive them.
create table slice_problems (
  job_id    uuid not null references jobs(id) on delete cascade,
  n         integer not null,
  count     integer not null check (count > 0),
  problems  bytea not null,
  primary key (job_id, n)
);

-- A job that reuses an earlier result reads that job's problem rows, so the earlier record is kept as long as the later
-- one.
create index jobs_reused on jobs (reused_from) where reused_from is not null;
