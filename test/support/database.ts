import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { inject, onTestFinished } from 'vitest';
import { type Database, type DatabaseAddress, type Db, openDatabase } from '#storage/database.ts';
import { SERVER_ROLE } from '#storage/embedded/database-roles.ts';

/** Returns the address of a fresh database in this run's cluster, migrated unless another template is named. */
export async function createDatabase(
  template = 'template_rowpress',
): Promise<DatabaseAddress & { host: string }> {
  const host = inject('socketDir');
  // Not the process id: the system reuses ids, and in a long run two workers had the same one.
  const database = `t_${randomBytes(8).toString('hex')}`;
  const admin = openDatabase({ host, database: 'postgres', user: 'rowpress' }, 1, () => {});
  try {
    await admin.pool.query(
      `create database ${database} owner ${SERVER_ROLE} template ${template} strategy file_copy`,
    );
  } finally {
    await admin.close();
  }
  return { host, database, user: SERVER_ROLE };
}

/** Opens a fresh database and closes it when the calling test ends. */
export async function openTestDatabase(): Promise<Database> {
  return closedLater(openDatabase(await createDatabase(), 20, () => {}));
}

/** Opens a database without a schema, for migration tests; closed when the test ends. */
export async function createEmptyDatabase(): Promise<Database> {
  return closedLater(openDatabase(await createDatabase('template0'), 4, () => {}));
}

function closedLater(database: Database): Database {
  onTestFinished(() => database.close());
  return database;
}

/** Number of deadlocks that PostgreSQL has resolved in this database by aborting a transaction. */
export async function countDeadlocks(address: DatabaseAddress): Promise<number> {
  const database = openDatabase(address, 1, () => {});
  try {
    const { rows } = await sql<{ n: number }>`
      select deadlocks::int as n from pg_stat_database where datname = current_database()`.execute(
      database.db,
    );
    return rows[0]?.n ?? 0;
  } finally {
    await database.close();
  }
}

/** Waits until a statement in this database is blocked by another one's lock. */
export async function untilSomebodyWaits(db: Db): Promise<void> {
  for (let turn = 0; turn < 6000; turn += 1) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db,
    );
    if (rows.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('nobody waited for a lock');
}
