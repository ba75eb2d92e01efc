import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { CollectionOf } from './items.ts';

export type LoadMode = 'upsert' | 'bulk' | 'full-refresh';

/** Locks the loads of a collection until the transaction ends, so that two loads cannot both find it free. */
export async function lockLoads(tx: Tx, { partnerNo, collection }: CollectionOf): Promise<void> {
  await sql`select pg_advisory_xact_lock(${0x4c000000 + collection}::int, ${partnerNo}::int)`.execute(tx);
}

/** Lists the modes of the unsettled loads of this collection. */
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

export interface GraphEdges {
  readonly source_id: string;
  readonly node: string;
  readonly edges: readonly string[];
}

/** Returns everything reachable from the given nodes, to check whether a new edge would close a cycle. */
export async function loadGraph(
  db: Db,
  { partnerNo, collection }: CollectionOf,
  from: readonly string[],
): Promise<GraphEdges[]> {
  if (from.length === 0) return [];
  const { rows } = await sql<GraphEdges>`
    with recursive reached(node) as (
      select unnest(${from}::text[])
      union
      select e.edge from reached r
      join ingest_items i on i.partner_no = ${partnerNo} and i.collection = ${collection}
                         and i.graph_node = r.node collate "C" and i.active
      cross join lateral unnest(i.graph_edges) e(edge))
    select i.source_id, i.graph_node as node, i.graph_edges as edges
    from reached r join ingest_items i on i.partner_no = ${partnerNo} and i.collection = ${collection}
                                      and i.graph_node = r.node collate "C" and i.active`.execute(db);
  return rows;
}

export interface Counts {
  readonly accepted: number;
  readonly replay: number;
  readonly quarantined: number;
  readonly rejected: number;
}

export async function insertSliceResults(
  tx: Tx,
  jobId: string,
  n: number,
  counts: Counts,
  results: Buffer,
): Promise<void> {
  await tx
    .insertInto('ingest_slice_results')
    .values({ job_id: jobId, n, ...counts, results })
    .execute();
}

/** Sums the results of the committed slices. */
export async function sumSliceResults(db: Db, jobId: string): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select coalesce(sum(accepted), 0)::bigint as accepted, coalesce(sum(replay), 0)::bigint as replay,
           coalesce(sum(quarantined), 0)::bigint as quarantined, coalesce(sum(rejected), 0)::bigint as rejected
    from ingest_slice_results where job_id = ${jobId}`.execute(db);
  return rows[0] ?? { accepted: 0, replay: 0, quarantined: 0, rejected: 0 };
}

/** Finds the first slice at or after `n` that has results. */
export async function findSliceResults(
  db: Db,
  jobId: string,
  n: number,
): Promise<{ readonly n: number; readonly results: Buffer } | undefined> {
  return db
    .selectFrom('ingest_slice_results')
    .select(['n', 'results'])
    .where('job_id', '=', jobId)
    .where('n', '>=', n)
    .orderBy('n')
    .limit(1)
    .executeTakeFirst();
}
