import { faultPoint } from '#lib/fault-points.ts';
import { writeDueEntry } from '#storage/console/due-entry.ts';
import type { Tx } from '#storage/database.ts';
import { type JobRecord, lockJob } from '#storage/jobs/find-jobs.ts';
import type { EngineParts } from '../engine-parts.ts';
import { commitSettlement } from './commit-settlement.ts';

/**
 * Ends an open job from outside: cancelled by a caller, or out of attempts. Returns false if it had already settled.
 * Takes the same lock as finishing slices and settling. `alongside` commits with it.
 */
export async function endJob(
  parts: EngineParts,
  jobId: string,
  reason: 'cancelled' | 'exhausted',
  alongside?: (tx: Tx, job: JobRecord) => Promise<void>,
): Promise<boolean> {
  const ended = await parts.database.db.transaction().execute(async (tx) => {
    const job = await lockJob(tx, jobId);
    if (job === undefined || job.settled_at !== null) return undefined;
    const settled = await commitSettlement(parts, tx, {
      jobId,
      attempt: undefined,
      outcome: parts.kinds.get(job.kind).failure(reason, { job, input: job.input }),
      cancelled: reason === 'cancelled',
    });
    await alongside?.(tx, job);
    await writeDueEntry(tx);
    await faultPoint('cancel.before-commit');
    parts.counters.settled(job.kind, 'failed');
    return settled;
  });
  await faultPoint('cancel.after-commit');
  if (ended === undefined) return false;
  parts.signals.jobChanged(jobId);
  if (ended.webhooks > 0) parts.signals.workAdded('webhook');
  return true;
}
