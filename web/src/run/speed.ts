import type { RunningJob } from './run-store.ts';

/** Rows per second since the first progress event, and the remaining time at that speed. */
export function withProgress(job: RunningJob, done: number, failed: number, now: number): RunningJob {
  const since = job.since ?? { at: now, done };
  const seconds = (now - since.at) / 1000;
  const rowsPerSecond = seconds > 0 && done > since.done ? (done - since.done) / seconds : job.rowsPerSecond;
  return { ...job, done, failed, since, rowsPerSecond };
}

export function secondsLeft({ total, done, rowsPerSecond }: RunningJob): number | null {
  return rowsPerSecond === null || rowsPerSecond <= 0 ? null : (total - done) / rowsPerSecond;
}

export function durationWords(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 360) / 10} h`;
}

export function bytesWords(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
