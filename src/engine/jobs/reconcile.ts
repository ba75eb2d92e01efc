import { listStrandedWork } from '#storage/jobs/list-stranded-work.ts';
import { countOpenSlices } from '#storage/jobs/slice-results.ts';
import { tallyJob } from '#storage/jobs/tally-job.ts';
import type { EngineParts } from '../engine-parts.ts';

/** Younger work may still be on its way into the queue. */
const GRACE_MS = 30_000;
const BATCH = 1_000;

/**
 * Enqueues open work that has no queue entry, so that every accepted job ends even if queue rows were lost. Safe on all
 * nodes at once: a second entry finds the slice fenced or finished.
 */
export async function reconcileJobs(parts: EngineParts, graceMs = GRACE_MS): Promise<number> {
  const olderThan = new Date(parts.clock.now().getTime() - graceMs);
  const stranded = await listStrandedWork(parts.database.db, olderThan, BATCH);
  for (const { jobId, n, accountId } of stranded.slices) {
    await parts.database.db
      .transaction()
      .execute(async (tx) => parts.queue.addSlices(tx, jobId, [n], await countOpenSlices(tx, accountId)));
  }
  for (const jobId of stranded.settles) {
    await parts.database.db.transaction().execute(async (tx) => {
      if ((await tallyJob(tx, jobId)) !== undefined) await parts.queue.addSettle(tx, jobId);
    });
  }
  if (stranded.slices.length > 0) parts.signals.workAdded('slice');
  if (stranded.settles.length > 0) parts.signals.workAdded('settle');
  return stranded.slices.length + stranded.settles.length;
}
