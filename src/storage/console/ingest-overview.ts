import { type RawBuilder, sql } from 'kysely';
import { COUNTED_ITEMS } from '#lib/counted-items.ts';
import type { Db } from '../database.ts';

export interface PartnerRecord {
  readonly no: number;
  readonly partner_id: string;
  readonly account_name: string;
  readonly created_at: Date;
}

export async function listPartners(db: Db, accountId: string | undefined): Promise<PartnerRecord[]> {
  const { rows } = await sql<PartnerRecord>`
    select p.no, p.partner_id, a.name as account_name, p.created_at
    from ingest_partners p join accounts a on a.id = p.account_id
    where ${accountId ?? null}::uuid is null or p.account_id = ${accountId ?? null}::uuid
    order by a.name, p.partner_id`.execute(db);
  return rows;
}

export interface CollectionCount {
  readonly partner_no: number;
  readonly collection: number;
  readonly items: number;
  /** Among the counted items. */
  readonly active: number;
  readonly quarantined: number;
}

/**
 * Counts the items of the given collections of these partners, and their open quarantine records. Each count stops at `COUNTED_ITEMS`.
 * Omits collections without either.
 */
export async function countCollections(
  db: Db,
  partnerNos: readonly number[],
  collections: readonly number[],
): Promise<CollectionCount[]> {
  const { rows } = await sql<CollectionCount>`
    select partner_no, collection, i.items, i.active, w.quarantined
    from unnest(${partnerNos}::int[]) p (partner_no) cross join unnest(${collections}::int2[]) c (collection)
    cross join lateral (
      select count(*)::int as items, (count(*) filter (where counted.active))::int as active from (
        select active from ingest_items o where o.partner_no = p.partner_no and o.collection = c.collection
        limit ${COUNTED_ITEMS}) counted) i
    cross join lateral (
      select count(*)::int as quarantined from (
        select from ingest_quarantine o
        where o.partner_no = p.partner_no and o.collection = c.collection and o.status = 'OPEN'
        limit ${COUNTED_ITEMS}) counted) w
    where i.items > 0 or w.quarantined > 0
    order by partner_no, collection`.execute(db);
  return rows;
}

export interface ListedItem {
  readonly source_id: string;
  readonly source_version: number | null;
  readonly active: boolean;
  readonly change: number;
  readonly warehouse_id: string | null;
  readonly correlation_id: string;
  readonly changed_at: Date;
}

export interface ItemFilter {
  readonly partnerNo: number;
  readonly collection: number;
  readonly prefix: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

/** Lists items of a collection by id, one more than the limit. */
export async function listItems(db: Db, filter: ItemFilter): Promise<ListedItem[]> {
  const { prefix, after } = filter;
  const conditions: RawBuilder<unknown>[] = [
    sql`partner_no = ${filter.partnerNo} and collection = ${filter.collection}`,
  ];
  if (prefix !== undefined)
    conditions.push(sql`starts_with(source_id, ${prefix}) and source_id >= ${prefix}`);
  if (after !== undefined) conditions.push(sql`source_id > ${after}`);
  const { rows } = await sql<ListedItem>`
    select source_id, source_version, active, change, warehouse_id, correlation_id, changed_at
    from ingest_items where ${sql.join(conditions, sql` and `)}
    order by source_id limit ${filter.limit + 1}`.execute(db);
  return rows;
}
