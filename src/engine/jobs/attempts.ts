import { faultOf } from '#lib/errors/fault-of.ts';
import { isStorageFault } from '#storage/storage-fault.ts';
import type { Services } from '../services.ts';

/** A slice or a settlement that failed this often will fail again, so the job ends instead of retrying forever. */
export const MAX_ATTEMPTS = 20;

/** Damaged data is read again in case it was damaged on its way from the store. Stored data does not heal. */
const MAX_ATTEMPTS_AT_DAMAGED_DATA = 3;

/**
 * A storage fault that no probe confirms may concern only what this attempt reads or writes, so such faults are excused
 * only this often: with the queue's pauses, for about eight hours.
 */
const MAX_UNCONFIRMED = 1_000;

/** An attempt and the earlier attempts that do not count. */
export interface Attempt {
  readonly attempt: number;
  readonly excused: number;
}

export function isLastAttemptOver({ attempt, excused }: Attempt): boolean {
  return attempt - excused > MAX_ATTEMPTS;
}

/** Whether this failure of an attempt ends the job. */
export function endsJob(error: unknown, { attempt, excused }: Attempt): boolean {
  return faultOf(error) === 'damaged' && attempt - excused >= MAX_ATTEMPTS_AT_DAMAGED_DATA;
}

/**
 * Excuses a failed attempt if the database or the blob store is unavailable: `record` then marks it as one that does not
 * count. Waits until the database responds, because only then it can be marked. The verdict is that of the probes; a
 * fault that the storage itself reported is excused without them, but not forever.
 */
export async function excuse(
  services: Services,
  failed: Attempt & { readonly error: unknown },
  record: () => Promise<void>,
  leave?: AbortSignal,
): Promise<void> {
  const isUp = await services.check();
  if (isUp && !(isStorageFault(failed.error) && failed.excused < MAX_UNCONFIRMED)) return;
  await services.available(['database'], leave);
  await record();
}
