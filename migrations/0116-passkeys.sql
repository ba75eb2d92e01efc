-- kind: expand
-- Passkeys (WebAuthn) that people sign in with. The private key never leaves the device of the person.
create table passkeys (
  id             uuid primary key,
  operator_id    uuid not null references operators(id) on delete cascade,
  credential_id  bytea not null check (length(credential_id) between 1 and 1023),
  public_key     bytea not null,             -- COSE
  counter        bigint not null check (counter >= 0),
  transports     text[] not null,
  rp_id          text not null,              -- the host name that the passkey belongs to
  name           text not null check (length(name) between 1 and 200),
  created_at     timestamptz not null,
  last_used_at   timestamptz,
  constraint passkeys_credential unique (credential_id)
);
create index passkeys_operator on passkeys (operator_id);

-- Challenges that have not been used, as SHA-256. Without an operator: for signing in. If one is lost, the person starts again.
create unlogged table passkey_challenges (
  challenge_hash  bytea primary key check (length(challenge_hash) = 32),
  operator_id     uuid references operators(id) on delete cascade,
  expires_at      timestamptz not null
);
create index passkey_challenges_expiry on passkey_challenges (expires_at);
