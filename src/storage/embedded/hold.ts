import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '#lib/backoff.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { PlainLog } from '#lib/plain-log.ts';
import { ensureRunning, type Installed, type RunningServer } from './ensure-running.ts';
import { type Guard, openGuard } from './guard.ts';
import { stopPostmaster } from './postmaster.ts';

/** A running server and this process's lock on it (guard.ts). */
export interface Held {
  readonly server: RunningServer;
  readonly guard: Guard;
}

const SERVER = 'rowpress server';
/** How long to wait for a process that is leaving and stopping the server. */
const LEAVING_MS = 30_000;
/** Two processes that leave at once may hold a lock for a few milliseconds, so try more than once. */
const LAST_OUT_TRIES = 10;

/** Becomes the owner, or fails with the process id of the current one. */
export async function own(installed: Installed, dataDir: string, log: PlainLog): Promise<Held> {
  let owner: string | undefined;
  const held = await retryWhileLeaving(async () => {
    const server = await ensureRunning(installed, log);
    const guard = await openGuard(installed, server.socketDirectory, `${SERVER} ${process.pid}`, log);
    if (await guard.tryOwn()) {
      const sameSettings = (await guard.serverMark()) === installed.options['rowpress.mark'];
      if (sameSettings || !(await guard.isUnused())) return { server, guard };
      log.info('the running PostgreSQL has other settings; restarting it');
      await stopPostmaster(server.pid, log);
      return 'leaving';
    }
    owner = await guard.findOwner();
    await guard.close();
    return owner?.startsWith(SERVER) ? undefined : 'leaving';
  });
  if (held === undefined) throw new OperatorError(secondOwner(dataDir, owner));
  return held;
}

function secondOwner(dataDir: string, owner: string | undefined): string {
  const who = owner === undefined ? '' : ` (pid ${owner.split(' ').at(-1)})`;
  return (
    `Another Rowpress${who} owns the data directory ${dataDir}. Stop it first, or choose another ROWPRESS_DATA_DIR. ` +
    'To run several processes on one database, set DATABASE_URL.'
  );
}

/** Uses the server beside an owner, or alone. */
export async function use(installed: Installed, log: PlainLog): Promise<Held> {
  const held = await retryWhileLeaving(async () => {
    const server = await ensureRunning(installed, log);
    const guard = await openGuard(installed, server.socketDirectory, `rowpress command ${process.pid}`, log);
    if (await guard.tryUse()) return { server, guard };
    await guard.close();
    return 'leaving';
  });
  if (held === undefined)
    throw new OperatorError(
      'Another process is stopping the embedded PostgreSQL, but it does not end. Try again later.',
    );
  return held;
}

/**
 * Retries while the last process to leave is stopping the server. Such a server still responds for a moment and may end
 * between any two queries. `undefined` is final.
 */
async function retryWhileLeaving(
  attempt: () => Promise<Held | 'leaving' | undefined>,
): Promise<Held | undefined> {
  const giveUp = performance.now() + LEAVING_MS;
  for (let turn = 1; performance.now() < giveUp; turn += 1) {
    try {
      const result = await attempt();
      if (result !== 'leaving') return result;
    } catch (error) {
      // The server ended during the attempt; retry. An OperatorError is final.
      if (error instanceof OperatorError || performance.now() >= giveUp) throw error;
    }
    await sleep(backoffMs(turn, 20, 500));
  }
  return undefined;
}

/** Releases this process's lock and stops the server if no other process uses it. */
export async function leave({ server, guard }: Held, log: PlainLog): Promise<void> {
  try {
    for (let turn = 1; turn <= LAST_OUT_TRIES; turn += 1) {
      if (await guard.isLastOut()) {
        await stopPostmaster(server.pid, log);
        return;
      }
      if ((await guard.findOwner())?.startsWith(SERVER)) return;
      await sleep(20);
    }
    log.info('the embedded PostgreSQL keeps running for another command');
  } catch (error) {
    // The connection ended and its lock with it. The next start adopts a server that still runs.
    log.warn(`the embedded PostgreSQL ended during shutdown: ${(error as Error).message}`);
  } finally {
    await guard.close();
  }
}
