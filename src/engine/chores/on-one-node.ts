import type { Clock } from '#lib/clock.ts';
import type { Chore, InstallationChore } from '#lib/ticker.ts';
import { Turnstile } from '#lib/turnstile.ts';
import { noteChoreRun, withChoreLock } from '#storage/chore-runs.ts';
import type { Database } from '#storage/database.ts';

/** A running chore holds a connection for its lock and needs others for its work. */
const SHARE_OF_POOL = 4;

/**
 * Turns chores of the installation into chores of this node. A chore runs on one node at a time, and rests between two runs
 * however many nodes there are. If its node dies, the lock ends with the connection and another node continues.
 */
export function onOneNode(
  { database, clock }: { readonly database: Pick<Database, 'db' | 'pool'>; readonly clock: Clock },
  chores: readonly InstallationChore[],
): Chore[] {
  const { db, pool } = database;
  const places = new Turnstile(Math.max(1, Math.floor(pool.options.max / SHARE_OF_POOL)));
  return chores.map(({ name, everyMs, restMs = everyMs / 2, run }) => {
    const runOnce = async (ranAt: Date | null) => {
      const now = clock.now();
      const restedMs = now.getTime() - (ranAt?.getTime() ?? 0);
      // A run in the future was noted by a clock that has been corrected since: it must not stop the chore until then.
      if (restedMs >= 0 && restedMs < restMs) return;
      await run();
      // Only after a run that succeeded: after an error, the next node does not rest.
      await noteChoreRun(db, name, now);
    };
    return { everyMs, run: () => places.run(() => withChoreLock(db, name, runOnce)) };
  });
}
