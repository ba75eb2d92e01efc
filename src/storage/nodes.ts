import { type Selectable, sql } from 'kysely';
import type { Db } from './database.ts';
import type { Nodes } from './db-types.ts';

export type NodeRecord = Selectable<Nodes>;

/** Reads the clock of the database. */
export async function readDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('bug: the clock query returned no row');
  return row.now;
}

/** Writes the row of a node, and deletes those whose last heartbeat was before `forgetBefore`. */
export async function recordHeartbeat(db: Db, node: NodeRecord, forgetBefore: Date): Promise<void> {
  await db.deleteFrom('nodes').where('heartbeat_at', '<', forgetBefore).execute();
  await db
    .insertInto('nodes')
    .values(node)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(node))
    .execute();
}

export async function deleteNode(db: Db, id: string): Promise<void> {
  await db.deleteFrom('nodes').where('id', '=', id).execute();
}

/** Lists the nodes by name, a restarted one after its predecessor. */
export function listNodes(db: Db): Promise<NodeRecord[]> {
  return db.selectFrom('nodes').selectAll().orderBy('name').orderBy('started_at').limit(1_000).execute();
}
