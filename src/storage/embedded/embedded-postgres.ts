import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '#lib/backoff.ts';
import type { PlainLog } from '#lib/plain-log.ts';
import { DATABASE, SERVER_ROLE } from './database-roles.ts';
import type { Installed, RunningServer } from './ensure-running.ts';
import { leave, own, use } from './hold.ts';
import { install } from './install.ts';
import { DURABLE, type ServerSettings } from './settings.ts';

/**
 * The embedded PostgreSQL of a data directory, as seen by the process that owns it (`rowpress serve`). It is a real
 * PostgreSQL in its own process. The owner starts it, or adopts one that a killed owner left running, restarts it
 * whenever it dies, and stops it on exit.
 */
export interface EmbeddedPostgres {
  readonly address: EmbeddedAddress;
  /** True if the server was already running and was taken over. */
  readonly adopted: boolean;
  /** The directory of the database; outside the data directory if the database user cannot enter that. */
  readonly directory: string;
  /** Resolves once the server has been restarted `n` times in total. */
  recovered(n: number): Promise<void>;
  /** Close your own connections first: open ones are cut off. */
  stop(): Promise<void>;
}

export interface EmbeddedAddress {
  readonly host: string;
  readonly database: string;
  readonly user: string;
  readonly password: string;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: PlainLog;
  readonly settings?: ServerSettings;
}

const RETRY_MAX_MS = 5_000;

export async function startEmbeddedPostgres({
  dataDir,
  log,
  settings = DURABLE,
}: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const installed = await install(dataDir, settings, log);
  let held = await own(installed, dataDir, log);
  const adopted = !held.server.startedHere;
  if (adopted) log.info(`adopted a running PostgreSQL (pid ${held.server.pid})`);

  const stopping = new AbortController();
  const { signal } = stopping;
  const waiters = new Set<() => void>();
  let recoveries = 0;
  let regaining: Promise<void> | undefined;

  const watch = async () => {
    while (!signal.aborted) {
      await held.guard.lost;
      if (signal.aborted) return;
      log.warn('the embedded PostgreSQL ended; restarting it');
      regaining = regain();
      await regaining;
      regaining = undefined;
    }
  };

  /** Retries until it succeeds or the process stops: a full disk or low memory may be temporary. */
  const regain = async () => {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        held = await own(installed, dataDir, log);
        recoveries += 1;
        for (const wake of waiters) wake();
        log.info(`restarted the embedded PostgreSQL (pid ${held.server.pid})`);
        return;
      } catch (error) {
        log.warn(`cannot restart the embedded PostgreSQL yet: ${(error as Error).message}`);
        await sleep(backoffMs(attempt, 100, RETRY_MAX_MS), undefined, { signal }).catch(() => {});
      }
    }
  };

  const watching = watch();
  return {
    address: address(held.server, installed),
    adopted,
    directory: installed.place.directory,
    recovered: (n) =>
      new Promise((resolve) => {
        const wake = () => {
          if (recoveries < n) return;
          waiters.delete(wake);
          resolve();
        };
        waiters.add(wake);
        wake();
      }),
    stop: async () => {
      if (signal.aborted) return watching;
      stopping.abort();
      await regaining;
      await leave(held, log);
      await watching;
    },
  };
}

/** A command's hold on the database. */
export interface BorrowedPostgres {
  readonly address: EmbeddedAddress;
  readonly directory: string;
  release(): Promise<void>;
}

/** Uses the running server or starts one, for a command. The last user stops it, unless a long-running owner exists. */
export async function borrowEmbeddedPostgres({
  dataDir,
  log,
  settings = DURABLE,
}: EmbeddedOptions): Promise<BorrowedPostgres> {
  const installed = await install(dataDir, settings, log);
  const held = await use(installed, log);
  return {
    address: address(held.server, installed),
    directory: installed.place.directory,
    release: () => leave(held, log),
  };
}

function address({ socketDirectory }: RunningServer, { key }: Installed): EmbeddedAddress {
  return { host: socketDirectory, database: DATABASE, user: SERVER_ROLE, password: key };
}
