import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '#lib/backoff.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { PlainLog } from '#lib/plain-log.ts';
import type { Binaries } from './binaries.ts';
import { ping } from './connect.ts';
import type { Place } from './place.ts';
import { disownPostmasterFile, type Postmaster, readPostmasterFile, startPostmaster } from './postmaster.ts';
import { isAlive, isServerOf } from './process-state.ts';

/** Everything needed to start the server of one data directory. */
export interface Installed {
  readonly place: Place;
  readonly binaries: Binaries;
  /** The password of the database roles. */
  readonly key: string;
  readonly options: Record<string, string>;
}

export interface RunningServer {
  readonly pid: number;
  readonly socketDirectory: string;
  readonly startedHere: boolean;
}

/** How long a start may fail for temporary reasons. */
const PATIENCE_MS = 60_000;
const REPORT_MS = 10_000;

/**
 * Ensures that the server runs, whatever was left behind. Uses a running one, waits for a recovering one as long as it
 * takes, and waits until the children of a killed one release the shared memory. Otherwise starts one. PostgreSQL's
 * lock file admits one server for concurrent callers in any process, and all of them find it.
 */
export async function ensureRunning(installed: Installed, log: PlainLog): Promise<RunningServer> {
  const { place, binaries, key, options } = installed;
  const begun = performance.now();
  let reported = begun;
  let child: Postmaster | undefined;
  let failures = 0;
  for (let turn = 1; ; turn += 1) {
    const file = readPostmasterFile(place.cluster);
    const state = file?.socketDirectory === undefined ? 'down' : await ping(file.socketDirectory, key);
    if (file?.socketDirectory !== undefined && state === 'ready')
      return {
        pid: file.pid,
        socketDirectory: file.socketDirectory,
        startedHere: child?.process.pid === file.pid,
      };
    if (state === 'closed')
      throw new OperatorError(
        `User ${process.getuid?.()} may not open the socket of the database in ${place.cluster}. Run this command as the user of the server, or as root.`,
      );
    if (child?.hasEnded()) {
      failures += 1;
      if (!passesByItself(child.complaint()) || performance.now() - begun > PATIENCE_MS)
        throw new OperatorError(`PostgreSQL did not start in ${place.cluster}: ${child.complaint()}`);
      child = undefined;
      await sleep(backoffMs(failures, 50, 1000));
      continue;
    }
    const comingUp = child !== undefined || state === 'busy' || (file && isServerOf(file.pid, place.cluster));
    if (!comingUp) {
      if (file !== undefined && isAlive(file.pid)) disownPostmasterFile(place.cluster);
      child = startPostmaster(place, binaries, options);
    } else if (performance.now() - reported > REPORT_MS) {
      reported = performance.now();
      log.info('waiting for PostgreSQL (starting, recovering or stopping)');
    }
    await sleep(backoffMs(turn, 5, 100));
  }
}

/**
 * Another process started the server first and may not have written its lock file yet, or the children of a killed server
 * still hold its shared memory.
 */
function passesByItself(complaint: string): boolean {
  return /lock file ".*" (?:already exists|is empty)|shared memory block .* is still in use/.test(complaint);
}
