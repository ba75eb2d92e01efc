import { sql } from 'kysely';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { Db } from './database.ts';

const OLDEST = 15;

/** Checks that the database is reachable and recent enough. Returns its version. */
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
      `Cannot connect to the database: ${(error as Error).message || (error as { code?: string }).code}. Check that it is running and that DATABASE_URL is correct.`,
    );
  }
  if (found === undefined) throw new Error('bug: the version query returned no row');
  if (found.number < OLDEST * 10_000)
    throw new OperatorError(
      `Rowpress needs PostgreSQL ${OLDEST} or newer; this database is version ${found.version}.`,
    );
  return { version: found.version, now: found.now };
}
