import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Migration, type MigrationProvider, Migrator, sql } from 'kysely';
import type { Db } from './database.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));

/**
 * Reads `migrations/0001-….sql` and the following files in name order. Migrations only go forward; a later file fixes a
 * mistake.
 */
class SqlFiles implements MigrationProvider {
  async getMigrations(): Promise<Record<string, Migration>> {
    const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
    const entries = names.map(async (name): Promise<[string, Migration]> => {
      const text = await readFile(`${MIGRATIONS}${name}`, 'utf8');
      return [name.slice(0, -'.sql'.length), { up: async (db) => void (await sql.raw(text).execute(db)) }];
    });
    return Object.fromEntries(await Promise.all(entries));
  }
}

export interface MigrationState {
  readonly done: readonly string[];
  readonly pending: readonly string[];
}

export async function readMigrationState(db: Db): Promise<MigrationState> {
  const all = await new Migrator({ db, provider: new SqlFiles() }).getMigrations();
  const names = (ran: boolean) =>
    all.filter(({ executedAt }) => (executedAt !== undefined) === ran).map(({ name }) => name);
  return { done: names(true), pending: names(false) };
}

/**
 * Migrates the schema to the latest version (or to `upTo`) and returns the names of the migrations that ran. They run
 * in one transaction behind an advisory lock, so several nodes may start at once: one migrates, the others wait.
 */
export async function migrate(db: Db, upTo?: string): Promise<string[]> {
  const migrator = new Migrator({ db, provider: new SqlFiles() });
  const { error, results } =
    upTo === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(upTo);
  if (error !== undefined) throw error;
  return (results ?? [])
    .filter((result) => result.status === 'Success')
    .map((result) => result.migrationName);
}

/** Lists the migrations that have not run yet. */
export async function listPendingMigrations(db: Db): Promise<string[]> {
  const migrations = await new Migrator({ db, provider: new SqlFiles() }).getMigrations();
  return migrations
    .filter((migration) => migration.executedAt === undefined)
    .map((migration) => migration.name);
}
