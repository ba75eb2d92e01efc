import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#lib/clock.ts';
import type { PlainLog } from '#lib/plain-log.ts';
import { checkServer, isReadOnlyServer, ReadOnlyServerError } from './check-server.ts';
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

/**
 * A proxy that has just started, or whose primary has just changed, leads to a standby until it has checked its servers.
 * The proxy of docs/guides/high-availability.md takes a second.
 */
const PRIMARY_WITHIN_MS = 10_000;
const LOOK_MS = 500;

/**
 * Starts or adopts the embedded server (or connects to DATABASE_URL) and migrates the schema. Waits a moment if the
 * server is read-only.
 */
export async function openMigratedDatabase(
  settings: DatabaseSettings,
  log: PlainLog,
): Promise<MigratedDatabase> {
  ensureDataDir(settings.dataDir);
  const reached = await reach(settings, log);
  const { directAddress, stop } = reached;
  const giveUpAt = systemClock.now().getTime() + PRIMARY_WITHIN_MS;
  let waits = false;
  for (;;) {
    try {
      const database = await openReached(reached, settings, log);
      const close = async () => {
        await database.close();
        await stop();
      };
      return { database, directAddress, close };
    } catch (error) {
      if (!isReadOnlyServer(error) || systemClock.now().getTime() > giveUpAt) {
        await stop();
        throw isReadOnlyServer(error) ? new ReadOnlyServerError() : error;
      }
      if (!waits)
        log.warn(`the database server is read-only; waiting ${PRIMARY_WITHIN_MS / 1000} s for the primary`);
      waits = true;
      await sleep(LOOK_MS);
    }
  }
}

async function openReached(
  { address, directAddress }: Reached,
  settings: DatabaseSettings,
  log: PlainLog,
): Promise<Database> {
  const database = openDatabase(address, settings.databasePool, (error) =>
    log.warn(`a database connection broke: ${error.message}`),
  );
  try {
    await checkServer(database.db);
    if (settings.databaseUrl !== undefined) await checkSession(directAddress);
    await migrateThrough(directAddress, log);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
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
