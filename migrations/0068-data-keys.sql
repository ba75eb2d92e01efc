-- The key that encrypts the blobs of an account, sealed with the installation secret. Every blob that it
-- encrypted names it by its id. Losing a row makes the account's encrypted blobs unreadable.
create table data_keys (
  id          text primary key check (id ~ '^[0-9a-f]{16}$'),
  account_id  uuid not null unique references accounts(id),
  sealed      bytea not null,
  created_at  timestamptz not null
);

-- The SHA-256 of the content of an encrypted blob; null for a plain blob, whose name it is.
alter table blobs add column content_sha256 text;
