import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** The bytes that the finished slices of a job have stored, for kinds whose results have a `length`. */
export async function sumSliceLengths(db: Db, jobId: string): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum((result ->> 'length')::bigint), 0) as bytes
    from slices where job_id = ${jobId} and state = 'done'`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}
