import type { Db } from '../database.ts';
import type { JobRecord } from './find-job.ts';

export interface JobPage {
  readonly accountId: string;
  readonly kind: string;
  readonly limit: number;
  readonly after?: { readonly createdAt: Date; readonly id: string };
}

/** Newest first; asks for one row more than a page holds, so that the caller knows whether there is another. */
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
