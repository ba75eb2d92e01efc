import { type Selectable, sql } from 'kysely';
import type { Db } from '../database.ts';
import type { IngestItems } from '../db-types.ts';

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
  /** The warehouse it was last written for; null: the whole partner. */
  readonly warehouse_id: string | null;
}

/** Identity, version and state of the given items; ids that are unknown have no row. */
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

/** Which of the given items are active, and of what kind those are whose collection knows kinds. */
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
