-- kind: expand
-- Whether the sweep is done with an expired delivery: its artifact is purged, or another delivery keeps it. Existing rows are swept in batches.
alter table deliveries add column swept boolean not null default false;
