import type { Config } from '#config.ts';
import { OWN_COMMAND } from '#lib/built-programs.ts';
import { checkServer } from '#storage/check-server.ts';
import { checkSession } from '#storage/check-session.ts';
import { type Database, type DatabaseAddress, openDatabase } from '#storage/database.ts';
import { borrowEmbeddedPostgres, startEmbeddedPostgres } from '#storage/embedded/embedded-postgres.ts';
import { findDatabase } from '#storage/embedded/find-database.ts';
import { migrate } from '#storage/migrate.ts';
import { CommandFailed } from './command-failed.ts';
import { stderrLog } from './stderr-log.ts';

interface Reached {
  readonly address: DatabaseAddress;
  release(): Promise<void>;
}

interface DatabaseWish {
  /** Migrate the schema first. */
  readonly migrated?: boolean;
  /** Create the embedded database if there is none. Other commands must not leave one where somebody happened to run them. */
  readonly create?: boolean;
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
  { migrated = true, create = false, alone = false }: DatabaseWish = {},
): Promise<T> {
  if (!create) requireInstallation(config);
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

/** Throws if there is neither a database to connect to nor an embedded one. Call it before anything is created. */
export function requireInstallation({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== undefined || findDatabase(dataDir) !== undefined) return;
  throw new CommandFailed(
    'NO_INSTALLATION',
    `There is no installation here: DATABASE_URL is not set, and ${dataDir} has no database. ` +
      'Run the command in the folder of the installation, or set ROWPRESS_DATA_DIR or DATABASE_URL as its server does. ' +
      `For a new installation, run \`${OWN_COMMAND} serve\` or \`${OWN_COMMAND} migrate\` first.`,
  );
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
  const onWait = (message: string) => stderrLog.warn(message);
  if (config.databaseUrl === undefined) return migrate(database.db, { onWait });
  const address = { url: config.databaseDirectUrl ?? config.databaseUrl };
  await checkSession(address);
  if (config.databaseDirectUrl === undefined) return migrate(database.db, { onWait });
  const direct = openDatabase(address, 2, () => {});
  try {
    return await migrate(direct.db, { onWait });
  } finally {
    await direct.close();
  }
}
