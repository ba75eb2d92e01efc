import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface QueueMeasure {
  readonly queue: string;
  readonly depth: number;
  /** How long the oldest entry has been due. */
  readonly ageSeconds: number;
}

/** Entries that could run now (pg-boss 12: states `created` and `retry` whose time has come). */
export async function measureQueues(db: Db, now: Date): Promise<QueueMeasure[]> {
  const { rows } = await sql<QueueMeasure>`
    select name as queue, count(*)::int as depth,
      greatest(0, extract(epoch from ${now}::timestamptz - min(start_after)))::float8 as "ageSeconds"
    from pgboss.job where state in ('created', 'retry') and start_after <= ${now} group by name`.execute(db);
  return rows;
}
