-- What the console's health page counts: failing and given-up deliveries, and failed jobs.

-- When the last attempt of a delivery failed. Test events are sent once, so they are never given up and keep null.
alter table webhook_deliveries add column given_up_at timestamptz;
update webhook_deliveries d
set given_up_at = coalesce((select max(a.finished_at) from webhook_attempts a where a.delivery_id = d.id), d.created_at)
from events e
where e.id = d.event_id and d.state = 'exhausted' and e.type not like '%.test';
create index webhook_deliveries_given_up on webhook_deliveries (given_up_at) where given_up_at is not null;
create index webhook_deliveries_failing on webhook_deliveries (first_failed_at)
  where state = 'pending' and first_failed_at is not null;
create index jobs_failed on jobs (settled_at) where state = 'failed' and not cancelled;
