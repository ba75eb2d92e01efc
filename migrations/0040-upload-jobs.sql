-- Deleting a job clears its upload; without this index, every deleted job would scan all uploads.
create index subscriber_uploads_import on subscriber_uploads (import_job_id) where import_job_id is not null;
