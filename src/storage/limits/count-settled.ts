import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface SettledCount {
  readonly failed: number;
  /** Never above `2 * failed + enough`: more could not change any answer, so no more is read. */
  readonly settled: number;
}

/** Jobs that settled after `since` and were not cancelled. */
export async function countSettled(
  db: Db,
  accountId: string,
  kind: string,
  since: Date,
  enough: number,
): Promise<SettledCount> {
  const { rows } = await sql<SettledCount>`
    with failures as (
      select count(*)::int as failed from jobs
      where account_id = ${accountId} and kind = ${kind} and settled_at > ${since}
        and state = 'failed' and not cancelled)
    select failed, (
      select count(*)::int from (
        select from jobs
        where account_id = ${accountId} and kind = ${kind} and settled_at > ${since} and not cancelled
        limit 2 * failed + ${enough}) s) as settled
    from failures`.execute(db);
  const [count] = rows;
  if (count === undefined) throw new Error('bug: a count returned no row');
  return count;
}
