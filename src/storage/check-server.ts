import { sql } from 'kysely';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { Db } from './database.ts';

const OLDEST = 15;

/** Proves that the database can be reached and is new enough. Returns its version. */
export async function checkServer(db: Db): Promise<{ version: string; now: Date }> {
  let found: { version: string; number: number; now: Date } | undefined;
  try {
    const { rows } = await sql<{ version: string; number: number; now: Date }>`
      select current_setting('server_version') as version,
             current_setting('server_version_num')::int as number,
             clock_timestamp() as now`.execute(db);
    found = rows[0];
  } catch (error) {
    throw new OperatorError(
      `The database cannot be reached: ${(error as Error).message || (error as { code?: string }).code}. Check that it runs and that DATABASE_URL is right.`,
    );
  }
  if (found === undefined) throw new Error('bug: a select without a row');
  if (found.number < OLDEST * 10_000)
    throw new OperatorError(`The database is PostgreSQL ${found.version}, but ${OLDEST} or newer is needed.`);
  return { version: found.version, now: found.now };
}
