-- kind: expand
-- Attempts of a slice that ended because the database or the blob store was unavailable. They do not count towards the maximum.
alter table slices add column excused int not null default 0;
