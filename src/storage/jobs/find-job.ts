import type { Selectable } from 'kysely';
import type { Db } from '../database.ts';
import type { Jobs } from '../db-types.ts';

export type JobRecord = Selectable<Jobs>;

export function findJob(db: Db, id: string): Promise<JobRecord | undefined> {
  return db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function getJob(db: Db, id: string): Promise<JobRecord> {
  const job = await findJob(db, id);
  if (job === undefined) throw new Error(`bug: job ${id} is gone`);
  return job;
}

/** Unknown and foreign ids are the same to a caller. */
export function findJobOf(
  db: Db,
  accountId: string,
  kind: string,
  id: string,
): Promise<JobRecord | undefined> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .executeTakeFirst();
}

/** Everything that ends a job or a slice takes this lock first, so that two last slices cannot both miss. */
export function lockJob(tx: Db, id: string): Promise<JobRecord | undefined> {
  return tx.selectFrom('jobs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}
