/** Returns the calendar month (UTC) whose quota pays for a job: `2026-01`. */
export function quotaPeriod(now: Date): string {
  return now.toISOString().slice(0, 7);
}
