import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '#lib/backoff.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { PlainLog } from '#lib/plain-log.ts';
import { ensureRunning, type Installed, type RunningServer } from './ensure-running.ts';
import { type Guard, openGuard } from './guard.ts';
import { stopPostmaster } from './postmaster.ts';

/** A running server and our part in it (guard.ts). */
export interface Held {
  readonly server: RunningServer;
  readonly guard: Guard;
}

const SERVER = 'rowpress server';
/** How long to wait for somebody who is just leaving and takes the server down with him. */
const LEAVING_MS = 30_000;
/** Two that leave at the same instant may hold a lock for a few milliseconds: ask more than once. */
const LAST_OUT_TRIES = 10;

/** Becomes the one owner, or says who is. */
export async function own(installed: Installed, dataDir: string, log: PlainLog): Promise<Held> {
  let owner: string | undefined;
  const held = await retryWhileLeaving(async () => {
    const server = await ensureRunning(installed, log);
    const guard = await openGuard(installed, server.socketDirectory, `${SERVER} ${process.pid}`, log);
    if (await guard.tryOwn()) {
      const sameSettings = (await guard.serverMark()) === installed.options['rowpress.mark'];
      if (sameSettings || !(await guard.isUnused())) return { server, guard };
      log.info('the PostgreSQL that was left running has other settings; starting it anew');
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
    'Several processes on one database need DATABASE_URL.'
  );
}

/** Takes part beside an owner, or alone. */
export async function use(installed: Installed, log: PlainLog): Promise<Held> {
  const held = await retryWhileLeaving(async () => {
    const server = await ensureRunning(installed, log);
    const guard = await openGuard(installed, server.socketDirectory, `rowpress command ${process.pid}`, log);
    if (await guard.tryUse()) return { server, guard };
    await guard.close();
    return 'leaving';
  });
  if (held === undefined)
    throw new OperatorError('The embedded PostgreSQL is being stopped by another process and does not end.');
  return held;
}

/**
 * A server that is being stopped by the last one out still answers for a moment, and may go away between any
 * two questions: ask again until it is gone and a new one is up. `undefined` is a final no.
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
      // The server ended while we talked to it; what an operator must solve is final.
      if (error instanceof OperatorError || performance.now() >= giveUp) throw error;
    }
    await sleep(backoffMs(turn, 20, 500));
  }
  return undefined;
}

/** Gives up our part, and stops the server if nobody else has one. */
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
    log.info('the embedded PostgreSQL stays up for another command that uses it');
  } catch (error) {
    // The connection is gone, and with it our part; a server that still runs is adopted by the next start.
    log.warn(`the embedded PostgreSQL went away while it was being left: ${(error as Error).message}`);
  } finally {
    await guard.close();
  }
}
