import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { withoutNestedLoops } from '../without-nested-loops.ts';

export interface StrandedDelivery {
  readonly id: string;
  readonly account_id: string;
}

/**
 * Deliveries that should have been tried before `dueBefore` and have no live entry in the queue: what a lost
 * queue row would strand for ever.
 */
export function listStrandedDeliveries(db: Db, dueBefore: Date, limit: number): Promise<StrandedDelivery[]> {
  return withoutNestedLoops(db, async (tx) => {
    const { rows } = await sql<StrandedDelivery>`
    select d.id, d.account_id from webhook_deliveries d
    where d.state = 'pending' and d.next_attempt_at < ${dueBefore}
      and not exists (
        select from pgboss.job q
        where q.name = 'webhook' and q.singleton_key = d.id::text and q.state in ('created', 'retry', 'active'))
    order by d.next_attempt_at limit ${limit}`.execute(tx);
    return rows;
  });
}
