/**
 * When a delivery that has now failed `failures` times is tried again. Offsets count from the first failure,
 * so slow attempts do not push the schedule back; an offset that has passed already means at once.
 * Undefined: that was the last attempt.
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
