import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Migration, type MigrationProvider, Migrator, sql } from 'kysely';
import type { Db } from './database.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));

/** `migrations/0001-….sql` in order of name. Forward only: a mistake is mended by the next file. */
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
  const all = await createMigrator(db).getMigrations();
  const names = (ran: boolean) =>
    all.filter(({ executedAt }) => (executedAt !== undefined) === ran).map(({ name }) => name);
  return { done: names(true), pending: names(false) };
}

export function createMigrator(db: Db): Migrator {
  return new Migrator({ db, provider: new SqlFiles() });
}

/**
 * Brings the schema up to date (or to `upTo`) and returns the names of the migrations that ran now. All of them run in one
 * transaction behind an advisory lock, so several nodes may start at once: one works, the others wait.
 */
export async function migrate(db: Db, upTo?: string): Promise<string[]> {
  const migrator = createMigrator(db);
  const { error, results } =
    upTo === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(upTo);
  if (error !== undefined) throw error;
  return (results ?? [])
    .filter((result) => result.status === 'Success')
    .map((result) => result.migrationName);
}
