import { type Selectable, sql } from 'kysely';
import type { Db } from '../database.ts';
import type { IngestItems } from '../db-types.ts';

export interface ItemFilter {
  readonly state: 'ACTIVE' | 'INACTIVE' | 'ANY';
  /** Members of the canonical item and their required values (JSON containment). */
  readonly where?: Readonly<Record<string, unknown>>;
}

/** Returns one page in key order after `after`. Stable under concurrent writes, without an open cursor. */
export async function selectItemPage(
  db: Db,
  { partnerNo, collection }: CollectionOf,
  filter: ItemFilter,
  after: string,
  limit: number,
): Promise<ItemRecord[]> {
  const state = filter.state === 'ANY' ? sql`` : sql`and active = ${filter.state === 'ACTIVE'}`;
  const where = filter.where === undefined ? sql`` : sql`and item @> ${JSON.stringify(filter.where)}::jsonb`;
  const { rows } = await sql<ItemRecord>`
    select * from ingest_items
    where partner_no = ${partnerNo} and collection = ${collection} and source_id > ${after} ${state} ${where}
    order by source_id limit ${limit}`.execute(db);
  return rows;
}

export type ItemRecord = Selectable<IngestItems>;

export interface CollectionOf {
  readonly partnerNo: number;
  readonly collection: number;
}

export interface ItemStanding {
  readonly source_id: string;
  readonly internal_id: string;
  readonly source_version: number | null;
  readonly active: boolean;
  readonly change: number;
  /** The warehouse of the last write; null: the whole partner. */
  readonly warehouse_id: string | null;
}

/** Returns identity, version and state of the given items. Unknown ids have no row. */
export async function findStandings(
  db: Db,
  { partnerNo, collection }: CollectionOf,
  sourceIds: readonly string[],
): Promise<ItemStanding[]> {
  if (sourceIds.length === 0) return [];
  const { rows } = await sql<ItemStanding>`
    select source_id, internal_id, source_version, active, change, warehouse_id from ingest_items
    where partner_no = ${partnerNo} and collection = ${collection} and source_id = any(${sourceIds}::text[])`.execute(
    db,
  );
  return rows;
}

/** Returns the active ones of the given items, with their kind if the collection has kinds. */
export async function findReferenced(
  db: Db,
  { partnerNo, collection }: CollectionOf,
  sourceIds: readonly string[],
): Promise<{ readonly source_id: string; readonly kind: string | null }[]> {
  if (sourceIds.length === 0) return [];
  const { rows } = await sql<{ source_id: string; kind: string | null }>`
    select source_id, item->>'kind' as kind from ingest_items
    where partner_no = ${partnerNo} and collection = ${collection} and active
      and source_id = any(${sourceIds}::text[])`.execute(db);
  return rows;
}

export function findItem(
  db: Db,
  { partnerNo, collection }: CollectionOf,
  sourceId: string,
): Promise<ItemRecord | undefined> {
  return db
    .selectFrom('ingest_items')
    .selectAll()
    .where('partner_no', '=', partnerNo)
    .where('collection', '=', collection)
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
}

export function findItemByInternalId(
  db: Db,
  partnerNo: number,
  internalId: string,
): Promise<ItemRecord | undefined> {
  return db
    .selectFrom('ingest_items')
    .selectAll()
    .where('internal_id', '=', internalId)
    .where('partner_no', '=', partnerNo)
    .executeTakeFirst();
}

export interface HistoryRecord {
  readonly change: number;
  readonly source_version: number | null;
  readonly active: boolean;
  /** Null: archived. */
  readonly item: unknown;
  readonly correlation_id: string;
  readonly warehouse_id: string | null;
  readonly changed_at: Date;
}

/** Returns the newest first, from change number `below` downwards. The current state is the newest entry. */
export async function listHistory(
  db: Db,
  { partnerNo, collection }: CollectionOf,
  sourceId: string,
  page: { readonly below: number; readonly limit: number },
): Promise<HistoryRecord[]> {
  const columns = sql`change, source_version, active, item, correlation_id, warehouse_id, changed_at`;
  const key = sql`partner_no = ${partnerNo} and collection = ${collection} and source_id = ${sourceId} and change < ${page.below}`;
  const { rows } = await sql<HistoryRecord>`
    (select ${columns} from ingest_items where ${key})
    union all
    (select ${columns} from ingest_history where ${key} order by change desc limit ${page.limit})
    order by change desc limit ${page.limit}`.execute(db);
  return rows;
}

/** Deletes bodies older than the audit log. The entries with version and time stay. */
export async function archiveHistory(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    update ingest_history set item = null
    where (partner_no, collection, source_id, change) in (
      select partner_no, collection, source_id, change from ingest_history
      where item is not null and changed_at < ${before} limit ${limit} for update skip locked)
    returning 1`.execute(db);
  return rows.length;
}
