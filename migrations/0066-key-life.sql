-- Rotation, address ranges, expiry warnings and rejected uses of API keys.
alter table api_keys
  -- The successor that a rotation created. The key then works only until the overlap ends.
  add column replaced_by text,
  -- CIDR ranges that may use the key; null: any address.
  add column ip_ranges text[],
  -- The lowest number of days before the expiry at which a warning was sent; null: none yet.
  add column warned_days integer;
create index api_keys_replaced_by on api_keys (replaced_by) where replaced_by is not null;
create index api_keys_expiry on api_keys (expires_at) where expires_at is not null and revoked_at is null;

-- Rejected uses of known keys, counted by key and address. A few addresses are kept per key.
create table api_key_refusals (
  key_id    text not null references api_keys(id) on delete cascade,
  address   text not null,
  reason    text not null,
  count     bigint not null,
  first_at  timestamptz not null,
  last_at   timestamptz not null,
  primary key (key_id, address)
);
