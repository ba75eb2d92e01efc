import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { systemClock } from '#lib/clock.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { Db } from './database.ts';
import { applyMigration, type Patience } from './migrations/apply-migration.ts';
import { listMigrationNames, MIGRATIONS, readMigrationFile } from './migrations/migration-files.ts';
import { withMigrationLock } from './migrations/migration-lock.ts';
import { readSchemaState, requireCompatible, type SchemaState } from './migrations/schema-state.ts';

/** How often a node that waits for another one's migrations looks again. */
const LOOK_MS = 200;
/** Building an index of a large table takes minutes. */
const TURN_MS = 3_600_000;
const PATIENCE_MS = 600_000;

export interface MigrateOptions extends Partial<Patience> {
  /** The last migration to apply. */
  readonly upTo?: string;
  readonly directory?: string;
}

export function readMigrationState(db: Db, directory = MIGRATIONS): Promise<SchemaState> {
  return readSchemaState(db, directory);
}

/**
 * Migrates the schema to the latest version (or to `upTo`) and returns the names of the migrations that it applied. Each
 * has its own transaction, so that no lock outlives its migration. Several nodes may start at once: one migrates, the
 * others wait. Throws if this release is too old for the database. Uses two connections.
 */
export async function migrate(db: Db, options: MigrateOptions = {}): Promise<string[]> {
  const { directory = MIGRATIONS, patienceMs = PATIENCE_MS, onWait = () => {} } = options;
  const upTo = options.upTo ?? (await listMigrationNames(directory)).at(-1) ?? '';
  const findPending = async () => {
    const state = await readSchemaState(db, directory);
    requireCompatible(state);
    return state.pending.filter((name) => name <= upTo);
  };
  const giveUpAt = systemClock.now().getTime() + TURN_MS;
  while ((await findPending()).length > 0) {
    const applied = await withMigrationLock(db, async () => {
      await sql`create table if not exists kysely_migration
        (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db);
      const names = await findPending();
      for (const name of names)
        await applyMigration(db, await readMigrationFile(directory, name), { patienceMs, onWait });
      return names;
    });
    if (applied !== undefined) return applied;
    if (systemClock.now().getTime() > giveUpAt)
      throw new OperatorError(
        'Another node has been migrating the database for an hour. Look at its log, and start again when it has ended.',
      );
    await sleep(LOOK_MS);
  }
  return [];
}
