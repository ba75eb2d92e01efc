-- Tables of the engine: accounts and keys, request keys, jobs and slices, blobs and artifacts, events and webhook
-- deliveries, quota, limits. The caller passes all times (the product has one clock).

create table accounts (
  id          uuid primary key,
  name        text not null unique check (length(name) between 1 and 200),
  plan        text not null,
  active      boolean not null default true,
  created_at  timestamptz not null
);

-- Stores only a SHA-256 of the secret. `id` is the public half of the key.
create table api_keys (
  id           text primary key,
  account_id   uuid not null references accounts(id),
  surface      text not null check (surface in ('bulkfill', 'subscribers', 'ingest')),
  secret_hash  bytea not null check (length(secret_hash) = 32),
  name         text not null default '',
  scopes       text[] not null default '{}',
  partner_id   text,
  warehouses   text[],                    -- null: all warehouses
  created_at   timestamptz not null,
  expires_at   timestamptz,               -- null: never
  revoked_at   timestamptz,
  last_used_at timestamptz
);
create index api_keys_account on api_keys (account_id, surface);

-- One row per (account, scope, key) inside its window. A claim takes over an expired row in the same statement, so a
-- key takes effect at most once per window.
create table request_keys (
  account_id      uuid not null references accounts(id),
  scope           text not null,          -- 'bulkfill.export', 'subscribers.import', 'ingest:<partner>' …
  key             text not null,
  body_digest     bytea,                  -- null if the policy does not compare bodies
  body_parts      jsonb,                  -- digest per named part, to report what differs; never the content
  job_id          uuid,
  response_status integer,
  response_type   text,
  response_body   bytea,
  claimed_at      timestamptz not null,
  expires_at      timestamptz not null,
  primary key (account_id, scope, key)
);
create index request_keys_expiry on request_keys (expires_at);
create index request_keys_job on request_keys (job_id) where job_id is not null;

-- JSON columns are `json`, not `jsonb`, to keep the order of members: some values end up in bytes (manifests,
-- envelopes).
create table jobs (
  id              uuid primary key,
  account_id      uuid not null references accounts(id),
  kind            text not null,
  state           text not null check (state in ('queued', 'processing', 'completed', 'failed')),
  input           json not null,          -- input of the kind: digests and options, never row values
  ordered         boolean not null,       -- slices run one at a time, in order
  fail_limit      bigint,                 -- the k-th failed row (in row order) ends the job; null: no limit
  slices_total    integer not null,
  slices_done     integer not null default 0,
  rows_total      bigint not null,
  rows_done       bigint not null default 0,
  rows_failed     bigint not null default 0,
  settle_attempt  integer not null default 0,
  outcome         json,                   -- result of the kind's `finish`, shown by its surface
  error_code      text,
  error_message   text,
  error_details   json,
  request_key     text,
  request_id      text,
  work_digest     bytea,                  -- equal work may reuse this job's artifact
  reused_from     uuid,
  cancelled       boolean not null default false,
  created_at      timestamptz not null,
  started_at      timestamptz,
  settled_at      timestamptz,
  check ((state in ('completed', 'failed')) = (settled_at is not null))
);
create index jobs_account on jobs (account_id, kind, created_at desc, id);
create index jobs_open on jobs (state, created_at) where state in ('queued', 'processing');
create index jobs_open_account on jobs (account_id) where settled_at is null;
create index jobs_settled on jobs (settled_at) where settled_at is not null;
create index jobs_account_settled on jobs (account_id, kind, settled_at desc) where settled_at is not null;
-- The failures of the last hour are few even if settled jobs are many (failure cooldowns).
create index jobs_account_failed on jobs (account_id, kind, settled_at) where state = 'failed' and not cancelled;
create index jobs_work on jobs (account_id, work_digest) where work_digest is not null;

-- The queue's unit of work. `attempt` is our own and fences every write: a late worker's result is rejected.
create table slices (
  job_id       uuid not null references jobs(id) on delete cascade,
  n            integer not null,
  state        text not null check (state in ('open', 'done', 'dropped')),
  attempt      integer not null default 0,
  timeouts     integer not null default 0,
  input        json not null,
  result       json,
  rows_total   integer not null,
  rows_failed  integer,
  started_at   timestamptz,
  finished_at  timestamptz,
  primary key (job_id, n)
);
create index slices_open on slices (job_id, n) where state = 'open';

-- Every put updates `last_put_at`. The sweeper deletes only unreferenced rows older than an hour, row first and file
-- after. Accepting a job locks its blobs, so the two cannot conflict.
create table blobs (
  digest      text primary key,
  size_bytes  bigint not null,
  last_put_at timestamptz not null
);
create table blob_refs (
  digest   text not null references blobs(digest),
  job_id   uuid not null references jobs(id) on delete cascade,
  role     text not null check (role in ('input', 'work', 'artifact')),
  primary key (digest, job_id, role)
);
create index blob_refs_job on blob_refs (job_id);

-- The output of a finished job. `parts` names the blobs it is assembled from. A job that reuses it refers to it too.
create table artifacts (
  id          uuid primary key,
  job_id      uuid not null unique references jobs(id) on delete cascade,
  account_id  uuid not null references accounts(id),
  media_type  text not null,
  size_bytes  bigint not null,
  etag        text not null,
  parts       json not null,
  made_at     timestamptz not null,
  purge_at    timestamptz not null,       -- files are deleted at the latest then
  purged_at   timestamptz
);
create index artifacts_purge on artifacts (purge_at) where purged_at is null;

create table deliveries (
  id          uuid primary key,
  job_id      uuid not null unique references jobs(id) on delete cascade,
  artifact_id uuid not null references artifacts(id) on delete cascade,
  expires_at  timestamptz not null
);
create index deliveries_expiry on deliveries (expires_at);
create index deliveries_artifact on deliveries (artifact_id);

-- Readers of an artifact; a sweep waits for them.
create table artifact_readers (
  id          uuid primary key,
  artifact_id uuid not null references artifacts(id) on delete cascade,
  seen_at     timestamptz not null
);
create index artifact_readers_artifact on artifact_readers (artifact_id);

create table events (
  id           uuid primary key,
  account_id   uuid not null references accounts(id),
  surface      text not null,
  type         text not null,
  job_id       uuid references jobs(id) on delete cascade,
  body         bytea not null,            -- the exact bytes that every attempt sends
  occurred_at  timestamptz not null
);
create unique index events_job on events (job_id) where job_id is not null;
create index events_account on events (account_id, occurred_at desc);

create table webhook_deliveries (
  id               uuid primary key,
  event_id         uuid not null references events(id) on delete cascade,
  account_id       uuid not null references accounts(id),
  target_url       text not null,
  secrets          bytea not null,        -- encrypted; one secret, or two during a rotation
  scheme           text not null check (scheme in ('bulkfill', 'standard', 'ingest')),
  state            text not null check (state in ('pending', 'delivered', 'exhausted')),
  attempt          integer not null default 0,   -- fences and numbers the attempts
  first_failed_at  timestamptz,
  next_attempt_at  timestamptz,
  delivered_at     timestamptz,
  created_at       timestamptz not null,
  check ((state = 'pending') = (next_attempt_at is not null))
);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where state = 'pending';
create index webhook_deliveries_event on webhook_deliveries (event_id);
create index webhook_deliveries_waiting on webhook_deliveries (account_id) where state = 'pending';

create table webhook_attempts (
  delivery_id  uuid not null references webhook_deliveries(id) on delete cascade,
  n            integer not null,
  started_at   timestamptz not null,
  finished_at  timestamptz,
  status       integer,
  error        text,
  primary key (delivery_id, n)
);

-- One row per job (I4). `billed_rows` is the bill: the requested rows if completed, else 0.
create table quota_ledger (
  job_id        uuid primary key,
  account_id    uuid not null references accounts(id),
  period        text not null check (period ~ '^\d{4}-\d{2}$'),   -- calendar month, UTC, of the accept
  reserved_rows bigint not null check (reserved_rows >= 0),
  billed_rows   bigint not null default 0 check (billed_rows >= 0),
  limited       boolean not null,         -- whether the reservation is part of the balance (plans with a limit)
  created_at    timestamptz not null,
  settled_at    timestamptz
);
create index quota_ledger_account on quota_ledger (account_id, period);
create table quota_balances (
  account_id    uuid not null references accounts(id),
  period        text not null,
  reserved_rows bigint not null default 0 check (reserved_rows >= 0),
  billed_rows   bigint not null default 0 check (billed_rows >= 0),
  primary key (account_id, period)
);

-- Table of rate-limiter-flexible. UNLOGGED: losing a minute of counts in a crash is cheaper than a WAL record per
-- request.
create unlogged table rate_limits (
  key     text primary key,
  points  integer not null default 0,
  expire  bigint
);

-- Failure cooldowns of creates, per account and kind, shared by all nodes.
create table cooldowns (
  account_id          uuid not null references accounts(id),
  kind                text not null,
  consecutive_failed  integer not null default 0,
  level               integer not null default 0,   -- number of times the pause has doubled
  repeated_until      timestamptz,
  ratio_until         timestamptz,
  primary key (account_id, kind)
);

-- Fingerprints that every node of one installation must share (blob store, secret key, seal key).
create table installation (
  name   text primary key,
  value  text not null
);
