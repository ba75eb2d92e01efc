import { sql } from 'kysely';
import type { Db } from './database.ts';
import { notAwaited } from './not-awaited.ts';

/** How far a sweep has come. */
export interface SweepMark {
  /** Rows up to this time were examined. */
  readonly reached: Date;
  /** When all rows were examined, however old. */
  readonly complete_at: Date;
}

export function findSweepMark(db: Db, name: string): Promise<SweepMark | undefined> {
  return db
    .selectFrom('sweep_marks')
    .select(['reached', 'complete_at'])
    .where('name', '=', name)
    .executeTakeFirst();
}

/** Stores how far a sweep has come. A lost mark only repeats work. */
export async function writeSweepMark(db: Db, name: string, mark: SweepMark): Promise<void> {
  await sql`${notAwaited}
    insert into sweep_marks (name, reached, complete_at)
    select ${name}, ${mark.reached}::timestamptz, ${mark.complete_at}::timestamptz from not_awaited
    on conflict (name) do update set reached = excluded.reached, complete_at = excluded.complete_at`.execute(
    db,
  );
}
