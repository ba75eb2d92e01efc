import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { IngestQuarantine } from '../db-types.ts';
import { type CollectionOf, findStandings } from './items.ts';

export interface NewQuarantine {
  readonly id: string;
  readonly sourceId: string;
  readonly version: number | null;
  readonly reason: string;
  /** JSON text as received. */
  readonly item: string;
  readonly missing: readonly { readonly collection: number; readonly sourceId: string }[];
}

export interface QuarantineContext extends CollectionOf {
  readonly correlationId: string;
  readonly warehouseId: string | null;
  /** The warehouses of the credential, stored with the record; null: all warehouses. */
  readonly warehouses: readonly string[] | null;
  readonly now: Date;
}

/**
 * Locks the quarantine of one collection. Every writer takes it first (after the locks of the items, never before),
 * because records are found by more than one key and have no common lock order.
 */
export async function lockQuarantine(tx: Tx, { partnerNo, collection }: CollectionOf): Promise<void> {
  await sql`select pg_advisory_xact_lock(${0x51000000 + collection}::int, ${partnerNo}::int)`.execute(tx);
}

/**
 * Opens a record per item, or updates the open one of the same item and version. Returns the record ids by position, or
 * undefined if the open record belongs to another warehouse than those of the credential and stays unchanged. The
 * caller holds `lockQuarantine`, and each item and version occurs once.
 */
export async function quarantineItems(
  tx: Tx,
  context: QuarantineContext,
  items: readonly NewQuarantine[],
): Promise<(string | undefined)[]> {
  const { rows } = await sql<{ id: string; source_id: string; source_version: number | null }>`
    insert into ingest_quarantine as q (id, partner_no, collection, source_id, source_version, status, reason, item,
                                        correlation_id, warehouse_id, credential_warehouses, created_at, updated_at)
    select s.id, ${context.partnerNo}, ${context.collection}, s.source_id, s.source_version, 'OPEN', s.reason, s.item,
           ${context.correlationId}, ${context.warehouseId}, ${context.warehouses}::text[], ${context.now}, ${context.now}
    from unnest(${items.map((i) => i.id)}::uuid[], ${items.map((i) => i.sourceId)}::text[],
                ${items.map((i) => i.version)}::bigint[], ${items.map((i) => i.reason)}::text[],
                ${items.map((i) => i.item)}::jsonb[]) s(id, source_id, source_version, reason, item)
    on conflict (partner_no, collection, source_id, (coalesce(source_version, -1))) where status = 'OPEN'
    do update set reason = excluded.reason, item = excluded.item, correlation_id = excluded.correlation_id,
                  warehouse_id = excluded.warehouse_id, credential_warehouses = excluded.credential_warehouses,
                  updated_at = excluded.updated_at
    where ${context.warehouses}::text[] is null or q.warehouse_id = any(${context.warehouses}::text[])
    returning id, source_id, source_version`.execute(tx);
  const key = (sourceId: string, version: number | null) => `${version ?? ''}\t${sourceId}`;
  const ids = new Map(rows.map((row) => [key(row.source_id, row.source_version), row.id]));
  const idOf = items.map((item) => ids.get(key(item.sourceId, item.version)));
  await replaceMissing(
    tx,
    items.flatMap(({ missing }, at) => {
      const id = idOf[at];
      return id === undefined ? [] : [{ id, missing }];
    }),
  );
  return idOf;
}

async function replaceMissing(
  tx: Tx,
  records: readonly { readonly id: string; readonly missing: NewQuarantine['missing'] }[],
): Promise<void> {
  await sql`delete from ingest_missing where quarantine_id = any(${records.map((r) => r.id)}::uuid[])`.execute(
    tx,
  );
  const waits = records.flatMap(({ id, missing }) => missing.map((reference) => ({ id, ...reference })));
  if (waits.length === 0) return;
  await sql`
    insert into ingest_missing (quarantine_id, collection, source_id)
    select * from unnest(${waits.map((w) => w.id)}::uuid[], ${waits.map((w) => w.collection)}::smallint[],
                         ${waits.map((w) => w.sourceId)}::text[])
    on conflict do nothing`.execute(tx);
}

export async function hasOpenQuarantine(tx: Tx, { partnerNo, collection }: CollectionOf): Promise<boolean> {
  const { rows } = await sql`
    select from ingest_quarantine
    where partner_no = ${partnerNo} and collection = ${collection} and status = 'OPEN' limit 1`.execute(tx);
  return rows.length > 0;
}

/**
 * Closes open records that accepted items have superseded: those not above the item's current version. `except` lists
 * the records being released or re-driven, which are closed separately.
 */
export async function supersedeQuarantine(
  tx: Tx,
  { partnerNo, collection }: CollectionOf,
  sourceIds: readonly string[],
  now: Date,
  except: readonly string[] = [],
): Promise<void> {
  const kept = new Set(except);
  const open = (await findOpen(tx, { partnerNo, collection }, sourceIds)).filter(({ id }) => !kept.has(id));
  if (open.length === 0) return;
  const named = [...new Set(open.map((record) => record.source_id))];
  const standings = await findStandings(tx, { partnerNo, collection }, named);
  const versions = new Map(standings.map((item) => [item.source_id, item.source_version]));
  const overtaken = open.filter(({ source_id, source_version }) => {
    const version = versions.get(source_id);
    if (version === undefined) return false;
    return source_version === null || (version !== null && source_version <= version);
  });
  const records = overtaken.map(({ id }) => ({ id, internalId: null }));
  await closeQuarantine(tx, records, 'SUPERSEDED', now);
}

/** Above this many items, all open records are read once instead of being looked up one by one. */
const MANY = 500;

/**
 * Finds the open records of some items. Both sides may be tens of thousands of rows that the server has not analyzed
 * yet; if it expected a few, it would compare every row with every other.
 */
async function findOpen(
  tx: Tx,
  { partnerNo, collection }: CollectionOf,
  sourceIds: readonly string[],
): Promise<Pick<QuarantineRecord, 'id' | 'source_id' | 'source_version'>[]> {
  const isMany = sourceIds.length > MANY;
  if (isMany) await sql`set local enable_nestloop = off`.execute(tx);
  const { rows } = await sql<Pick<QuarantineRecord, 'id' | 'source_id' | 'source_version'>>`
    select q.id, q.source_id, q.source_version
    from unnest(${sourceIds}::text[]) s (source_id) join ingest_quarantine q on q.source_id = s.source_id
    where q.partner_no = ${partnerNo} and q.collection = ${collection} and q.status = 'OPEN'`.execute(tx);
  if (isMany) await sql`set local enable_nestloop to default`.execute(tx);
  return rows;
}

/** Returns the records that are still open. Exact if the caller holds `lockQuarantine`. */
export async function listStillOpen(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from ingest_quarantine where id = any(${ids}::uuid[]) and status = 'OPEN'`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

/** Closes open records. Returns how many were still open. */
export async function closeQuarantine(
  tx: Tx,
  records: readonly { readonly id: string; readonly internalId: string | null }[],
  status: 'RELEASED' | 'DISCARDED' | 'ACCEPTED' | 'SUPERSEDED',
  now: Date,
): Promise<number> {
  const { rows } = await sql`
    update ingest_quarantine q set status = ${status}, internal_id = s.internal_id, updated_at = ${now}
    from unnest(${records.map((r) => r.id)}::uuid[], ${records.map((r) => r.internalId)}::uuid[]) s(id, internal_id)
    where q.id = s.id and q.status = 'OPEN'
    returning 1`.execute(tx);
  return rows.length;
}

export type QuarantineRecord = Selectable<IngestQuarantine>;

/** The records that a credential may see: those of its partner, limited to its warehouses if it has any. */
export interface QuarantineView {
  readonly partnerNo: number;
  /** Null: all records, including those without a warehouse. */
  readonly warehouses: readonly string[] | null;
}

export function findQuarantine(
  db: Db,
  { partnerNo, warehouses }: QuarantineView,
  id: string,
): Promise<QuarantineRecord | undefined> {
  return db
    .selectFrom('ingest_quarantine')
    .selectAll()
    .where('id', '=', id)
    .where('partner_no', '=', partnerNo)
    .$if(warehouses !== null, (query) => query.where('warehouse_id', 'in', warehouses ?? []))
    .executeTakeFirst();
}

export interface QuarantinePage extends QuarantineView {
  readonly collection: number | undefined;
  readonly status: QuarantineRecord['status'] | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

/** Returns the newest first (ids are time-ordered), with one record more than the page if there is a next page. */
export function listQuarantine(db: Db, page: QuarantinePage): Promise<QuarantineRecord[]> {
  let query = db
    .selectFrom('ingest_quarantine')
    .selectAll()
    .where('partner_no', '=', page.partnerNo)
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  if (page.warehouses !== null) query = query.where('warehouse_id', 'in', page.warehouses);
  if (page.collection !== undefined) query = query.where('collection', '=', page.collection);
  if (page.status !== undefined) query = query.where('status', '=', page.status);
  if (page.after !== undefined) query = query.where('id', '<', page.after);
  return query.execute();
}

/**
 * Lists open records whose missing references all exist now. Oldest first, so that of two versions of one item the
 * earlier is applied first. Without a partner, lists those of all partners (for the periodic task).
 */
export async function listRedrivable(
  db: Db,
  filter: {
    readonly partnerNo?: number;
    readonly collection?: number;
    /** Only records of these warehouses; null or undefined: all. */
    readonly warehouses?: readonly string[] | null;
    readonly limit: number;
  },
): Promise<QuarantineRecord[]> {
  const partner = filter.partnerNo === undefined ? sql`` : sql`and q.partner_no = ${filter.partnerNo}`;
  const collection = filter.collection === undefined ? sql`` : sql`and q.collection = ${filter.collection}`;
  const warehouses =
    filter.warehouses == null ? sql`` : sql`and q.warehouse_id = any(${filter.warehouses}::text[])`;
  const { rows } = await sql<QuarantineRecord>`
    select q.* from ingest_quarantine q
    where q.status = 'OPEN' ${partner} ${collection} ${warehouses}
      and exists (select from ingest_missing m where m.quarantine_id = q.id)
      and not exists (
        select from ingest_missing m where m.quarantine_id = q.id and not exists (
          select from ingest_items i
          where i.partner_no = q.partner_no and i.collection = m.collection and i.source_id = m.source_id and i.active))
    order by q.id limit ${filter.limit}`.execute(db);
  return rows;
}
