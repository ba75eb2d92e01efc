-- Prepared bases that are stored as blobs, so that all nodes use what one of them prepared. A row ends with its blob.
-- UNLOGGED: a base that is lost in a crash is prepared again.
create unlogged table prepared_bases (
  account_id  uuid not null references accounts(id),
  key         bytea not null,             -- digest of the files, the options and the engine
  base        text not null references blobs(digest) on delete cascade,
  judged      json not null,              -- what is known of the files besides the base
  primary key (account_id, key)
);
create index prepared_bases_base on prepared_bases (base);
