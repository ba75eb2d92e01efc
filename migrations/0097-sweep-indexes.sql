-- kind: expand, outside a transaction
-- Indexes with which a sweep reads only what may have to be deleted.
create index concurrently if not exists deliveries_unswept on deliveries (expires_at, id) where not swept;
drop index concurrently if exists deliveries_expiry;
create index concurrently if not exists blobs_put on blobs (last_put_at);
create index concurrently if not exists events_without_job on events (occurred_at) where job_id is null;
