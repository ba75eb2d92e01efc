-- Secret and seal keys that a rotation replaced. Until a key is retired, values sealed with it stay readable and
-- packages sealed with it stay valid. The fingerprint of a seal key is its public key.
create table replaced_keys (
  kind         text not null check (kind in ('secret_key', 'seal_key')),
  fingerprint  text not null,
  replaced_at  timestamptz not null,
  retired_at   timestamptz,
  primary key (kind, fingerprint)
);
