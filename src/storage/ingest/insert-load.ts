import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { CollectionOf } from './find-items.ts';

export type LoadMode = 'upsert' | 'bulk' | 'full-refresh';

/** Held until the transaction ends, so that two loads cannot both find the collection free. */
export async function lockLoads(tx: Tx, { partnerNo, collection }: CollectionOf): Promise<void> {
  await sql`select pg_advisory_xact_lock(${0x4c000000 + collection}::int, ${partnerNo}::int)`.execute(tx);
}

/** Modes of the loads of this collection that have not settled. */
export async function listOpenLoads(tx: Tx, { partnerNo, collection }: CollectionOf): Promise<LoadMode[]> {
  const { rows } = await sql<{ mode: LoadMode }>`
    select distinct l.mode from ingest_loads l join jobs j on j.id = l.job_id
    where l.partner_no = ${partnerNo} and l.collection = ${collection} and j.settled_at is null`.execute(tx);
  return rows.map((row) => row.mode);
}

export async function insertLoad(
  tx: Tx,
  { partnerNo, collection }: CollectionOf,
  jobId: string,
  mode: LoadMode,
): Promise<void> {
  await tx
    .insertInto('ingest_loads')
    .values({ job_id: jobId, partner_no: partnerNo, collection, mode })
    .execute();
}

export interface LoadRecord extends CollectionOf {
  readonly mode: LoadMode;
  readonly tombstoned: number | null;
}

export async function findLoad(db: Db, jobId: string): Promise<LoadRecord | undefined> {
  const row = await db.selectFrom('ingest_loads').selectAll().where('job_id', '=', jobId).executeTakeFirst();
  return (
    row && {
      partnerNo: row.partner_no,
      collection: row.collection,
      mode: row.mode as LoadMode,
      tombstoned: row.tombstoned,
    }
  );
}
