import { type RawBuilder, sql } from 'kysely';
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
  readonly active: number;
  readonly quarantined: number;
}

/** Counts the items of each collection of these partners, and their open quarantine records. */
export async function countCollections(db: Db, partnerNos: readonly number[]): Promise<CollectionCount[]> {
  const { rows } = await sql<CollectionCount>`
    with items as (
      select partner_no, collection, count(*)::int8 as items, (count(*) filter (where active))::int8 as active
      from ingest_items where partner_no = any(${partnerNos}::int[]) group by partner_no, collection),
    waiting as (
      select partner_no, collection, count(*)::int8 as quarantined
      from ingest_quarantine where partner_no = any(${partnerNos}::int[]) and status = 'OPEN'
      group by partner_no, collection)
    select partner_no, collection, coalesce(items, 0) as items, coalesce(active, 0) as active,
      coalesce(quarantined, 0) as quarantined
    from items full join waiting using (partner_no, collection) order by partner_no, collection`.execute(db);
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
