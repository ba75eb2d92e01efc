import { faultOf } from '#lib/errors/fault-of.ts';

/** A slice or a settlement that failed this often will fail again, so the job ends instead of retrying forever. */
export const MAX_ATTEMPTS = 20;

/** Damaged data is read again in case it was damaged on its way from the store. Stored data does not heal. */
const MAX_ATTEMPTS_AT_DAMAGED_DATA = 3;

/** Whether this failure of an attempt ends the job. */
export function endsJob(error: unknown, attempt: number): boolean {
  return faultOf(error) === 'damaged' && attempt >= MAX_ATTEMPTS_AT_DAMAGED_DATA;
}
