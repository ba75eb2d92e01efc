import type { PlainLog } from '#lib/plain-log.ts';
import { checkServer } from './check-server.ts';
import { checkSession } from './check-session.ts';
import { ensureDataDir } from './data-dir.ts';
import { type Database, type DatabaseAddress, openDatabase } from './database.ts';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { migrate } from './migrate.ts';

export interface DatabaseSettings {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly databaseDirectUrl: string | undefined;
  readonly databasePool: number;
}

/** A database that is ready to use. `close` also stops the embedded server. */
export interface MigratedDatabase {
  readonly database: Database;
  /** Bypasses any pooler, for LISTEN and migrations, which need their own session. */
  readonly directAddress: DatabaseAddress;
  close(): Promise<void>;
}

/** Starts or adopts the embedded server (or connects to DATABASE_URL) and migrates the schema. */
export async function openMigratedDatabase(
  settings: DatabaseSettings,
  log: PlainLog,
): Promise<MigratedDatabase> {
  ensureDataDir(settings.dataDir);
  const { address, directAddress, stop } = await reach(settings, log);
  const database = openDatabase(address, settings.databasePool, (error) =>
    log.warn(`a database connection broke: ${error.message}`),
  );
  const close = async () => {
    await database.close();
    await stop();
  };
  try {
    await checkServer(database.db);
    if (settings.databaseUrl !== undefined) await checkSession(directAddress);
    await migrateThrough(directAddress, log);
  } catch (error) {
    await close();
    throw error;
  }
  return { database, directAddress, close };
}

interface Reached {
  readonly address: DatabaseAddress;
  readonly directAddress: DatabaseAddress;
  stop(): Promise<void>;
}

async function reach(
  { databaseUrl, databaseDirectUrl, dataDir }: DatabaseSettings,
  log: PlainLog,
): Promise<Reached> {
  if (databaseUrl !== undefined)
    return {
      address: { url: databaseUrl },
      directAddress: { url: databaseDirectUrl ?? databaseUrl },
      stop: async () => {},
    };
  const { address, stop } = await startEmbeddedPostgres({ dataDir, log });
  return { address, directAddress: address, stop };
}

async function migrateThrough(address: DatabaseAddress, log: PlainLog): Promise<void> {
  const direct = openDatabase(address, 2, () => {});
  try {
    await migrate(direct.db, { onWait: (message) => log.warn(message) });
  } finally {
    await direct.close();
  }
}
