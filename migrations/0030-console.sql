-- The console: operators, how they sign in, what they did, and what request keys were refused for.

-- People who may steer the installation. A removed one keeps its row, so that what it did still has a name.
create table operators (
  id          uuid primary key,
  name        text not null check (length(name) between 1 and 200),
  created_at  timestamptz not null,
  removed_at  timestamptz
);

-- One-time links. Only a SHA-256 of the token is kept. A link without a name signs in the first operator (or makes
-- one); a link with a name is an invitation and makes that operator.
create table sign_in_links (
  token_hash  bytea primary key check (length(token_hash) = 32),
  name        text,
  invited_by  uuid references operators(id),
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  used_at     timestamptz
);
create index sign_in_links_expiry on sign_in_links (expires_at);

create table operator_sessions (
  token_hash    bytea primary key check (length(token_hash) = 32),
  operator_id   uuid not null references operators(id),
  created_at    timestamptz not null,
  last_seen_at  timestamptz not null,
  expires_at    timestamptz not null
);
create index operator_sessions_operator on operator_sessions (operator_id);
create index operator_sessions_expiry on operator_sessions (expires_at);

create table operator_actions (
  id           uuid primary key,          -- time-ordered: the list is the primary key read backwards
  operator_id  uuid not null references operators(id),
  action       text not null,             -- 'key.created', 'account.changed', 'acting.bulkfill' …
  account_id   uuid references accounts(id),
  target       text,                      -- what it was done to: a key id, a job id, a path
  details      json,
  request_id   text not null,
  at           timestamptz not null
);
create index operator_actions_age on operator_actions (at);

-- Requests whose key stood for something else. The last twenty per key, written behind the answer.
create table request_key_conflicts (
  id          uuid primary key,
  account_id  uuid not null references accounts(id),
  surface     text not null,
  key         text not null,
  request_id  text not null,
  differs_in  text[] not null default '{}',
  at          timestamptz not null,
  expires_at  timestamptz not null        -- not before the window of the key has passed
);
create index request_key_conflicts_key on request_key_conflicts (key, account_id, surface, id);
create index request_key_conflicts_request on request_key_conflicts (request_id);
create index request_key_conflicts_expiry on request_key_conflicts (expires_at);

-- Lists over all accounts, and what a search by request id or key finds.
create index jobs_newest on jobs (created_at desc, id desc);
create index jobs_request_id on jobs (request_id) where request_id is not null;
create index jobs_request_key on jobs (request_key) where request_key is not null;
