import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface SliceResultRecord {
  readonly n: number;
  readonly state: 'done' | 'dropped' | 'open';
  readonly input: unknown;
  readonly result: unknown;
  readonly rows_total: number;
  readonly rows_failed: number | null;
}

export async function listSliceResults(db: Db, jobId: string): Promise<SliceResultRecord[]> {
  const { rows } = await sql<SliceResultRecord>`
    select n, state, input, result, rows_total, rows_failed from slices where job_id = ${jobId} order by n`.execute(
    db,
  );
  return rows;
}
