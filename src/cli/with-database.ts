import type { Config } from '#config.ts';
import { checkServer } from '#storage/check-server.ts';
import { type Database, type DatabaseAddress, openDatabase } from '#storage/database.ts';
import { borrowEmbeddedPostgres, startEmbeddedPostgres } from '#storage/embedded/embedded-postgres.ts';
import { migrate } from '#storage/migrate.ts';
import { stderrLog } from './stderr-log.ts';

interface Reached {
  readonly address: DatabaseAddress;
  release(): Promise<void>;
}

interface DatabaseWish {
  /** Migrate the schema first. */
  readonly migrated?: boolean;
  /** Refuse to run beside a running server of the same data directory. */
  readonly alone?: boolean;
}

/**
 * Opens the database for a command: that of DATABASE_URL, or the embedded one, whether its server runs or not. Ctrl-C
 * releases it too, so that a database started for the command does not keep running.
 */
export async function withDatabase<T>(
  config: Config,
  work: (database: Database) => Promise<T>,
  { migrated = true, alone = false }: DatabaseWish = {},
): Promise<T> {
  const { address, release } = await reach(config, alone);
  const giveBack = (signal: NodeJS.Signals) =>
    void release().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  process.once('SIGINT', giveBack);
  process.once('SIGTERM', giveBack);
  try {
    const database = openDatabase(address, 4, () => {});
    try {
      await checkServer(database.db);
      if (migrated) await bringUpToDate(config, database);
      return await work(database);
    } finally {
      await database.close();
    }
  } finally {
    process.off('SIGINT', giveBack);
    process.off('SIGTERM', giveBack);
    await release();
  }
}

async function reach({ databaseUrl, dataDir }: Config, alone: boolean): Promise<Reached> {
  if (databaseUrl !== undefined) return { address: { url: databaseUrl }, release: async () => {} };
  const options = { dataDir, log: stderrLog };
  if (!alone) return borrowEmbeddedPostgres(options);
  const { address, stop } = await startEmbeddedPostgres(options);
  return { address, release: stop };
}

/** Migrates the schema. Migrations need their own session, which a pooler in transaction mode does not provide. */
export async function bringUpToDate(config: Config, database: Database): Promise<string[]> {
  if (config.databaseUrl === undefined || config.databaseDirectUrl === undefined) return migrate(database.db);
  const direct = openDatabase({ url: config.databaseDirectUrl }, 2, () => {});
  try {
    return await migrate(direct.db);
  } finally {
    await direct.close();
  }
}
