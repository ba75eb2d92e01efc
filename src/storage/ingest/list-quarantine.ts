import { type Selectable, sql } from 'kysely';
import type { Db } from '../database.ts';
import type { IngestQuarantine } from '../db-types.ts';

export type QuarantineRecord = Selectable<IngestQuarantine>;

/** What a credential may see: records of its partner, and if it is limited, only those of its warehouses. */
export interface QuarantineView {
  readonly partnerNo: number;
  /** Null: all records, those without a warehouse included. */
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

/** Newest first (ids are time-ordered); one record more than the page, to know whether there is another. */
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
 * Open records worth another look: everything they miss is there now. Oldest first, so that of two versions
 * of one item the earlier is applied first. Without a partner: of all partners (the chore).
 */
export async function listRedrivable(
  db: Db,
  filter: {
    readonly partnerNo?: number;
    readonly collection?: number;
    /** Only records of these warehouses; null or absent: all. */
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
