import type { Selectable } from 'kysely';
import type { Db } from '../database.ts';
import type { Jobs } from '../db-types.ts';

export type JobRecord = Selectable<Jobs>;

export function findJob(db: Db, id: string): Promise<JobRecord | undefined> {
  return db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function getJob(db: Db, id: string): Promise<JobRecord> {
  const job = await findJob(db, id);
  if (job === undefined) throw new Error(`bug: job ${id} does not exist`);
  return job;
}

/** Returns undefined for unknown ids and for ids of other accounts: the caller cannot tell them apart. */
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

/**
 * Locks a job. Everything that ends a job or a slice takes this lock first, so that of two concurrent last slices one
 * sees that it is the last.
 */
export function lockJob(tx: Db, id: string): Promise<JobRecord | undefined> {
  return tx.selectFrom('jobs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export interface JobPage {
  readonly accountId: string;
  readonly kind: string;
  readonly limit: number;
  readonly after?: { readonly createdAt: Date; readonly id: string };
}

/** Returns the newest first, with one row more than the page holds if there is a next page. */
export function listJobs(db: Db, page: JobPage): Promise<JobRecord[]> {
  let query = db
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', page.accountId)
    .where('kind', '=', page.kind)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  const { after } = page;
  if (after !== undefined) {
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(after.createdAt, after.id)),
    );
  }
  return query.execute();
}
