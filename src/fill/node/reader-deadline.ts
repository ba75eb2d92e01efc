import { readFileSync } from 'node:fs';
import { familyOf } from './resident-bytes.ts';

/** Time without a core extends a deadline to at most this many times its length. */
const MAX_EXTENSION = 6;

/** Whether a process that was started `ms` ago is beyond its deadline. `waited` returns the milliseconds that do not count. */
export function isLate(ms: number, maxMs: number, waited: () => number): boolean {
  return ms > maxMs && (ms > MAX_EXTENSION * maxMs || ms - waited() > maxMs);
}

/**
 * Milliseconds for which the process below `pid` that waited longest was ready to run and had no core. Returns 0 if the system does not report
 * it.
 */
export function waitedMs(pid: number | undefined): number {
  if (pid === undefined || process.platform !== 'linux') return 0;
  return Math.max(0, ...familyOf(pid).map(waitedOf));
}

const waitedOf = (pid: number): number => scheduledMs(pid)[1];

/** A reader works until it answers, so one that sleeps for this long will never wake up. */
const MAX_ASLEEP_MS = 15_000;

/** Observes the processes below `pid` in regular calls. Returns whether none of them has used or waited for a core for too long. */
export function sleepObserver(
  pid: number | undefined,
  maxMs: number = MAX_ASLEEP_MS,
): (now: number) => boolean {
  let busy = 0;
  let since = Number.POSITIVE_INFINITY;
  return (now) => {
    if (pid === undefined || process.platform !== 'linux') return false;
    const present = familyOf(pid)
      .flatMap(scheduledMs)
      .reduce((sum, ms) => sum + ms, 0);
    // The first observation, or a process that is awake or has ended.
    if (present !== busy || present === 0) since = now;
    busy = present;
    return now - since > maxMs;
  };
}

/** Milliseconds for which the main thread of a process had a core, and for which it waited for one. */
function scheduledMs(pid: number): readonly [onCore: number, waited: number] {
  try {
    const [onCore = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
    return [onCore / 1e6, waited / 1e6];
  } catch {
    return [0, 0];
  }
}
