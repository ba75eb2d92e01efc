-- Creates of the last hour that were rejected after a reader had to be stopped. Each counts as a failed job.
alter table cooldowns add column refused_at timestamptz[] not null default '{}';
