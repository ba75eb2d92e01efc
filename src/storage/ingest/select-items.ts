import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { CollectionOf, ItemRecord } from './find-items.ts';

export interface ItemFilter {
  readonly state: 'ACTIVE' | 'INACTIVE' | 'ANY';
  /** Members of the canonical item and the values they must have (JSON containment). */
  readonly where?: Readonly<Record<string, unknown>>;
}

/** One page in key order after `after`: steady while others write, and no cursor held open. */
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
