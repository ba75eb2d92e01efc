import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import { withoutNestedLoops } from '../without-nested-loops.ts';

export interface StrandedWork {
  readonly slices: readonly { readonly jobId: string; readonly n: number; readonly accountId: string }[];
  readonly settles: readonly string[];
}

/**
 * Lists open slices and unsettled jobs without a live queue entry. A lost queue row would otherwise strand them
 * forever. `olderThan` excludes work that is being enqueued right now.
 */
export function listStrandedWork(db: Db, olderThan: Date, limit: number): Promise<StrandedWork> {
  return withoutNestedLoops(db, (tx) => listIn(tx, olderThan, limit));
}

async function listIn(tx: Tx, olderThan: Date, limit: number): Promise<StrandedWork> {
  const slices = await sql<{ jobId: string; n: number; accountId: string }>`
    select s.job_id as "jobId", s.n, j.account_id as "accountId"
    from jobs j join slices s on s.job_id = j.id
    where j.state in ('queued', 'processing') and j.created_at < ${olderThan} and s.state = 'open'
      and (not j.ordered or s.n = (select min(n) from slices o where o.job_id = j.id and o.state = 'open'))
      and not exists (
        select from pgboss.job q
        where q.name = 'slice' and q.singleton_key = s.job_id || ':' || s.n and q.state in ('created', 'retry', 'active'))
    limit ${limit}`.execute(tx);
  const settles = await sql<{ id: string }>`
    select j.id from jobs j
    where j.state in ('queued', 'processing') and j.created_at < ${olderThan}
      and not exists (select from slices s where s.job_id = j.id and s.state = 'open')
      and not exists (
        select from pgboss.job q
        where q.name = 'settle' and q.singleton_key = j.id::text and q.state in ('created', 'retry', 'active'))
    limit ${limit}`.execute(tx);
  return { slices: slices.rows, settles: settles.rows.map((row) => row.id) };
}
