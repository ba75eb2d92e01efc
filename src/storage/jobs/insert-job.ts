import { type Insertable, sql } from 'kysely';
import type { Db } from '../database.ts';
import type { Jobs } from '../db-types.ts';
import { json } from '../json.ts';

export interface NewSlice {
  readonly input: unknown;
  readonly rows: number;
}

export type NewJob = Omit<Insertable<Jobs>, 'input' | 'outcome'> & {
  readonly input: unknown;
  readonly outcome?: unknown;
};

export async function insertJob(db: Db, job: NewJob): Promise<void> {
  await db
    .insertInto('jobs')
    .values({ ...job, input: json(job.input), outcome: json(job.outcome ?? null) })
    .execute();
}

/** All slices in one statement, numbered from 0 in the order given. */
export async function insertSlices(db: Db, jobId: string, slices: readonly NewSlice[]): Promise<void> {
  await sql`
    insert into slices (job_id, n, state, input, rows_total)
    select ${jobId}, (s.ordinality - 1)::int, 'open', s.value->'input', (s.value->>'rows')::int
    from json_array_elements(${JSON.stringify(slices)}::json) with ordinality s`.execute(db);
}
