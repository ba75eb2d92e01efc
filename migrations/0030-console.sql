-- The console: operators, their sign-ins and actions, and conflicts of request keys.

-- People who may manage the installation. A removed operator keeps its row, so that its actions still have a name.
create table operators (
  id          uuid primary key,
  name        text not null check (length(name) between 1 and 200),
  created_at  timestamptz not null,
  removed_at  timestamptz
);

-- One-time links. Stores only a SHA-256 of the token. A link without a name signs in the first operator (or creates
-- one). A link with a name is an invitation and creates that operator.
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
  id           uuid primary key,          -- time-ordered: lists read the primary key backwards
  operator_id  uuid not null references operators(id),
  action       text not null,             -- 'key.created', 'account.changed', 'acting.bulkfill' …
  account_id   uuid references accounts(id),
  target       text,                      -- target of the action: a key id, a job id, a path
  details      json,
  request_id   text not null,
  at           timestamptz not null
);
create index operator_actions_age on operator_actions (at);

-- Requests whose key was already used for another request. The last twenty per key, written after the response.
create table request_key_conflicts (
  id          uuid primary key,
  account_id  uuid not null references accounts(id),
  surface     text not null,
  key         text not null,
  request_id  text not null,
  differs_in  text[] not null default '{}',
  at          timestamptz not null,
  expires_at  timestamptz not null        -- not before the window of the key ends
);
create index request_key_conflicts_key on request_key_conflicts (key, account_id, surface, id);
create index request_key_conflicts_request on request_key_conflicts (request_id);
create index request_key_conflicts_expiry on request_key_conflicts (expires_at);

-- Indexes for lists over all accounts, and for searches by request id or key.
create index jobs_newest on jobs (created_at desc, id desc);
create index jobs_request_id on jobs (request_id) where request_id is not null;
create index jobs_request_key on jobs (request_key) where request_key is not null;
