-- The ingest surface: partners, items with their versions and history, quarantine, bulk loads, receivers.

-- A partner is a name inside an account. The number keeps the wide tables narrow.
create table ingest_partners (
  no          integer generated always as identity primary key,
  account_id  uuid not null references accounts(id),
  partner_id  text not null,
  created_at  timestamptz not null,
  unique (account_id, partner_id)
);

-- Client certificates of partners (mutual TLS), by the SHA-256 of the certificate.
create table ingest_certificates (
  thumbprint  bytea primary key check (length(thumbprint) = 32),
  partner_no  integer not null references ingest_partners(no),
  warehouses  text[],                    -- null: all warehouses
  created_at  timestamptz not null,
  revoked_at  timestamptz
);
create index ingest_certificates_partner on ingest_certificates (partner_no);

-- The current state of every item, kept forever: identity and highest version are never deleted. Byte order ("C")
-- everywhere: batches are written in the order of this key, so two of them never deadlock. `graph_*` is set by
-- collections whose items contain one another (locations, bills of materials).
create table ingest_items (
  partner_no      integer not null,
  collection      smallint not null,
  source_id       text collate "C" not null,
  internal_id     uuid not null,
  source_version  bigint,
  active          boolean not null,
  change          integer not null,      -- 1 for the first state of the item, then 2, 3 …
  item            jsonb not null,        -- canonical
  correlation_id  text not null,
  warehouse_id    text,
  changed_at      timestamptz not null,
  graph_node      text collate "C",
  graph_edges     text[],
  primary key (partner_no, collection, source_id)
);
create unique index ingest_items_internal on ingest_items (internal_id);
create index ingest_items_graph on ingest_items (partner_no, collection, graph_node) where graph_node is not null;

-- Former states. The current one stays in ingest_items, so a first load writes every item once. A trigger copies the
-- row that an update replaces: only a trigger sees that row reliably under concurrent writes.
create table ingest_history (
  partner_no      integer not null,
  collection      smallint not null,
  source_id       text collate "C" not null,
  change          integer not null,
  source_version  bigint,
  active          boolean not null,
  item            jsonb,                 -- null: archived
  correlation_id  text not null,
  warehouse_id    text,
  changed_at      timestamptz not null,
  primary key (partner_no, collection, source_id, change)
);
create index ingest_history_age on ingest_history (changed_at) where item is not null;

create function ingest_keep_history() returns trigger language plpgsql as $$
begin
  insert into ingest_history (partner_no, collection, source_id, change, source_version, active, item,
                              correlation_id, warehouse_id, changed_at)
  select partner_no, collection, source_id, change, source_version, active, item,
         correlation_id, warehouse_id, changed_at
  from replaced;
  return null;
end $$;
create trigger ingest_items_history after update on ingest_items
  referencing old table as replaced for each statement execute function ingest_keep_history();

create table ingest_quarantine (
  id              uuid primary key,
  partner_no      integer not null references ingest_partners(no),
  collection      smallint not null,
  source_id       text collate "C" not null,
  source_version  bigint,
  status          text not null check (status in ('OPEN', 'RELEASED', 'DISCARDED', 'ACCEPTED', 'SUPERSEDED')),
  reason          text not null,
  item            jsonb not null,        -- as received
  correlation_id  text not null,
  warehouse_id    text,
  internal_id     uuid,                  -- of the item that a release or re-drive created
  created_at      timestamptz not null,
  updated_at      timestamptz not null
);
-- One open record per item and version: quarantining it again updates that record.
create unique index ingest_quarantine_open on ingest_quarantine
  (partner_no, collection, source_id, (coalesce(source_version, -1))) where status = 'OPEN';
create index ingest_quarantine_list on ingest_quarantine (partner_no, id);

-- The missing references of an open record. A record without a row here failed another rule (a cycle, a parent's kind).
create table ingest_missing (
  quarantine_id  uuid not null references ingest_quarantine(id) on delete cascade,
  collection     smallint not null,
  source_id      text collate "C" not null,
  primary key (quarantine_id, collection, source_id)
);

-- Asynchronous loads by partner and collection, to decide which loads may run at the same time.
create table ingest_loads (
  job_id      uuid primary key references jobs(id) on delete cascade,
  partner_no  integer not null references ingest_partners(no),
  collection  smallint not null,
  mode        text not null check (mode in ('upsert', 'bulk', 'full-refresh')),
  tombstoned  bigint
);
create index ingest_loads_collection on ingest_loads (partner_no, collection);

-- Written in the transaction that finishes a slice, so counts and results are exact after any crash.
create table ingest_slice_results (
  job_id       uuid not null references jobs(id) on delete cascade,
  n            integer not null,
  accepted     integer not null,
  replay       integer not null,
  quarantined  integer not null,
  rejected     integer not null,
  results      bytea not null,           -- packed per item, zstd
  primary key (job_id, n)
);
alter table ingest_slice_results alter column results set storage external;

-- Ids that a running full refresh contains; deleted when it has settled.
create table ingest_seen (
  job_id     uuid not null references jobs(id) on delete cascade,
  source_id  text collate "C" not null,
  primary key (job_id, source_id)
);

create table ingest_webhooks (
  id              uuid primary key,
  partner_no      integer not null references ingest_partners(no),
  url             text not null,
  events          text[] not null,
  secret          bytea not null,        -- sealed
  old_secret      bytea,                 -- sealed; signs too until old_until
  old_until       timestamptz,
  created_at      timestamptz not null,
  removed_at      timestamptz
);
create index ingest_webhooks_partner on ingest_webhooks (partner_no) where removed_at is null;
