-- The Subscribers surface: subscribers, tags, custom fields, uploads, import progress, and webhook subscriptions. An
-- account is a workspace.

create table subscribers (
  id              uuid primary key,
  account_id      uuid not null references accounts(id),
  email           text not null,           -- as received, trimmed
  email_key       text not null,           -- lower case: equal keys are the same subscriber
  name            text not null default '',
  status          text not null check (status in ('Active', 'Unconfirmed', 'Unsubscribed', 'Complained', 'Bounced', 'Blocked')),
  country         text check (country ~ '^[A-Z]{2}$'),
  subscribed_at   timestamptz not null,
  last_opened_at  timestamptz,
  custom_fields   jsonb not null default '{}',   -- value by field id
  sequence_ids    text[] not null default '{}',
  created_at      timestamptz not null,
  updated_at      timestamptz not null
);
create unique index subscribers_email on subscribers (account_id, email_key);
create index subscribers_newest on subscribers (account_id, created_at desc, id desc);

create table tags (
  id           uuid primary key,
  account_id   uuid not null references accounts(id),
  name         text not null,
  name_key     text not null,              -- lower case: names are case-insensitive
  description  text,
  created_at   timestamptz not null,
  updated_at   timestamptz not null
);
create unique index tags_name on tags (account_id, name_key);
create index tags_newest on tags (account_id, created_at desc, id desc);

create table subscriber_tags (
  tag_id         uuid not null references tags(id) on delete cascade,
  subscriber_id  uuid not null references subscribers(id) on delete cascade,
  primary key (tag_id, subscriber_id)
);
create index subscriber_tags_subscriber on subscriber_tags (subscriber_id);

create table custom_fields (
  id          uuid primary key,
  account_id  uuid not null references accounts(id),
  label       text not null,
  label_key   text not null,
  type        text not null,
  options     text[] not null default '{}',
  created_at  timestamptz not null,
  updated_at  timestamptz not null
);
create unique index custom_fields_label on custom_fields (account_id, label_key);
create index custom_fields_newest on custom_fields (account_id, created_at desc, id desc);

-- An upload link for one file. Its secret is stored as a hash. `source` gives the place of the rows in the blob store
-- and how they were split; it is set once the file has been received and read completely.
create table subscriber_uploads (
  id             uuid primary key,
  account_id     uuid not null references accounts(id),
  token_hash     bytea not null unique,
  file_name      text,
  size_bytes     bigint,
  headers        text[] not null default '{}',
  row_count      bigint,
  source         jsonb,
  import_job_id  uuid references jobs(id) on delete set null,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  uploaded_at    timestamptz,
  queued_at      timestamptz
);
create index subscriber_uploads_expiry on subscriber_uploads (expires_at);

-- The progress of an import. Written only in the transaction that finishes a slice, so the counters are exact after any
-- crash. `superseded` has one bit per row (lowest bit first): a later row of the file has the same email.
create table subscriber_imports (
  job_id      uuid primary key references jobs(id) on delete cascade,
  superseded  bytea,
  new_tag_id  uuid references tags(id) on delete set null,
  created     bigint not null default 0,
  updated     bigint not null default 0,
  unchanged   bigint not null default 0
);

create table webhook_subscriptions (
  id              uuid primary key,
  account_id      uuid not null references accounts(id),
  name            text not null,
  url             text not null,
  status          text not null check (status in ('active', 'disabled')),
  event_patterns  text[] not null,
  secret          bytea not null,          -- encrypted
  secret_preview  text not null,
  old_secret      bytea,                   -- encrypted; also signs for a while after a rotation
  old_secret_ends timestamptz,
  created_at      timestamptz not null,
  updated_at      timestamptz not null
);
create index webhook_subscriptions_newest on webhook_subscriptions (account_id, created_at desc, id desc);
