-- kind: expand
-- Ids of documents that anyone can verify. The same document of two accounts has one record each.
create table verify_ids (
  id            bytea not null check (length(id) = 16),
  account_id    uuid not null references accounts(id),
  project_name  text,
  issued_at     timestamptz not null,
  expires_at    timestamptz not null,
  primary key (id, account_id)
);
create index verify_ids_expiry on verify_ids (expires_at);
