/**
 * Returns when to retry a delivery that has failed `failures` times, or undefined after the last attempt. Offsets count
 * from the first failure, so slow attempts do not delay the schedule; an offset that has already passed means now.
 */
export function nextAttempt(
  offsetsSeconds: readonly number[],
  failures: number,
  firstFailedAt: Date,
  now: Date,
): Date | undefined {
  const offset = offsetsSeconds[failures - 1];
  if (offset === undefined) return undefined;
  return new Date(Math.max(now.getTime(), firstFailedAt.getTime() + offset * 1000));
}
