import type { Insertable } from 'kysely';
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
