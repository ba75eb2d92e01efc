import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface OpenJobs {
  readonly kind: string;
  readonly state: string;
  readonly count: number;
}

export async function countOpenJobs(db: Db): Promise<OpenJobs[]> {
  const { rows } = await sql<OpenJobs>`
    select kind, state, count(*)::int as count from jobs
    where state in ('queued', 'processing') group by kind, state`.execute(db);
  return rows;
}
