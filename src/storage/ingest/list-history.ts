import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { CollectionOf } from './find-items.ts';

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

/** Newest first, from change number `below` downwards; the current state is the newest entry. */
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

/** Removes bodies older than the audit log; the entries themselves, with version and time, stay. */
export async function archiveHistory(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    update ingest_history set item = null
    where (partner_no, collection, source_id, change) in (
      select partner_no, collection, source_id, change from ingest_history
      where item is not null and changed_at < ${before} limit ${limit} for update skip locked)
    returning 1`.execute(db);
  return rows.length;
}
