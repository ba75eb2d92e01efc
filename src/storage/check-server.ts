import { sql } from 'kysely';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { Db } from './database.ts';

const OLDEST = 15;

interface ServerFacts {
  readonly version: string;
  readonly number: number;
  readonly read_only: boolean;
  readonly now: Date;
}

/** SQLSTATE read_only_sql_transaction. */
const READ_ONLY = '25006';

export class ReadOnlyServerError extends OperatorError {
  constructor() {
    super(
      'The database server is read-only: it is a standby, or default_transaction_read_only is on. ' +
        'Set DATABASE_URL to the primary, or to all servers: postgres://USER@HOST1,HOST2/NAME?target_session_attrs=read-write.',
    );
  }
}

export function isReadOnlyServer(error: unknown): boolean {
  return error instanceof ReadOnlyServerError || (error as { code?: unknown } | null)?.code === READ_ONLY;
}

/** Checks that the database is reachable, recent enough and writable. Returns its version. */
export async function checkServer(db: Db): Promise<{ version: string; now: Date }> {
  let found: ServerFacts | undefined;
  try {
    const { rows } = await sql<ServerFacts>`
      select current_setting('server_version') as version,
             current_setting('server_version_num')::int as number,
             current_setting('transaction_read_only') = 'on' as read_only,
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
  if (found.read_only) throw new ReadOnlyServerError();
  return { version: found.version, now: found.now };
}
