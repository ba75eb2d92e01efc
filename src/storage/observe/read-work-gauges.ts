import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface WorkGauges {
  readonly jobs: readonly { readonly kind: string; readonly state: string; readonly count: number }[];
  readonly queues: readonly {
    readonly queue: string;
    readonly depth: number;
    readonly age_seconds: number;
  }[];
  readonly webhooksPending: number;
}

/** What waits and how long. Settled jobs are counted over the last day only, or the numbers would only grow. */
export async function readWorkGauges(db: Db, now: Date): Promise<WorkGauges> {
  const dayAgo = new Date(now.getTime() - 86_400_000);
  const [jobs, queues, pending] = await Promise.all([
    sql<WorkGauges['jobs'][number]>`
      select kind, state, count(*) as count from jobs
      where state in ('queued', 'processing') or settled_at > ${dayAgo} group by 1, 2`.execute(db),
    sql<WorkGauges['queues'][number]>`
      select name as queue, count(*) as depth,
             extract(epoch from greatest(now() - min(start_after), interval '0'))::float8 as age_seconds
      from pgboss.job where state in ('created', 'retry') and start_after <= now() group by 1`.execute(db),
    sql<{ count: number }>`select count(*) as count from webhook_deliveries where state = 'pending'`.execute(
      db,
    ),
  ]);
  return { jobs: jobs.rows, queues: queues.rows, webhooksPending: pending.rows[0]?.count ?? 0 };
}
