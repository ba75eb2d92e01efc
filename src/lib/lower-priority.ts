import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** A larger upload takes long enough to read that other requests should not wait for it. */
export const LARGE_INPUT_BYTES = 1_000_000;

/**
 * Linux gives a thread of this niceness a quarter of a core that one of niceness 0 also needs, and all of an idle core. With a lower share,
 * uploads would hardly be read while jobs use all cores.
 */
const NICENESS = 5;

/**
 * Lets the threads of a process run after others on a busy machine. Later threads and children of the process inherit this. It cannot be
 * undone without privileges. Returns whether a thread was changed: one that it created just before may have the old priority.
 */
export function lowerPriority(pid: number): boolean {
  let changed = false;
  for (const thread of threadsOf(pid))
    attempt(() => {
      if (getPriority(thread) >= NICENESS) return;
      setPriority(thread, NICENESS);
      changed = true;
    });
  // A process in its own session competes as a group if the kernel groups sessions. Its niceness then only counts within the group.
  attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS)));
  return changed;
}

/** The same for the calling thread alone. */
export function lowerThreadPriority(): void {
  // Only on Linux is 0 the calling thread; elsewhere it is the whole process.
  if (process.platform === 'linux') attempt(() => setPriority(0, NICENESS));
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}

/** A process that has ended, and a system that forbids the change, are not errors. */
function attempt(change: () => void): void {
  try {
    change();
  } catch {
    // The work is then done at the usual priority.
  }
}
