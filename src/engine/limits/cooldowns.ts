import { backoffMs } from '#lib/backoff.ts';
import type { Db, Tx } from '#storage/database.ts';
import {
  type CooldownRecord,
  countSettled,
  findCooldown,
  lockCooldown,
  type SettledCount,
  saveCooldown,
} from '#storage/limits/cooldowns.ts';

/**
 * Pauses the creates of an account whose jobs keep failing: after a number in a row, or while half or more of the last
 * hour's jobs failed. Both are recorded in the transaction that settles a job, so that all nodes agree.
 */
export interface CooldownSettings {
  /** Failed jobs in a row that start a pause; 0: off. */
  readonly failedJobs: number;
  /** Settled jobs in an hour from which the failure ratio counts; 0: off. */
  readonly ratioJobs: number;
}

export interface SettledJob {
  readonly accountId: string;
  readonly kind: string;
  readonly failed: boolean;
  readonly now: Date;
}

export interface Cooldown {
  /** Several failed jobs in a row, or half of the last hour's jobs failed. */
  readonly reason: 'repeated' | 'ratio';
  readonly retryAfterSeconds: number;
}

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 900_000;
const RATIO_PAUSE_MS = 600_000;
const RATIO_WINDOW_MS = 3_600_000;

/** Records a settled job. Called for every job except cancelled ones. */
export async function recordSettled(tx: Tx, settings: CooldownSettings, job: SettledJob): Promise<void> {
  if (settings.failedJobs === 0 && settings.ratioJobs === 0) return;
  const { accountId, kind } = job;
  // The usual case, a success of an account without failures, takes no lock: settlements of one account would otherwise
  // wait for each other's commit.
  if (!job.failed) {
    const known = await findCooldown(tx, accountId, kind);
    const count = await countFailures(tx, settings, job, known);
    if (count.failed === 0 && (known?.consecutive_failed ?? 0) === 0) return;
  }
  const record = await lockCooldown(tx, accountId, kind);
  const count = await countFailures(tx, settings, job, record);
  await saveCooldown(tx, afterSettled(record, settings, job, count));
}

/**
 * Counts a rejected create whose reader had to be stopped as a failed job. It used a reader as long as the slowest
 * valid input, and no job exists that would count.
 */
export async function recordCostlyRefusal(
  db: Db,
  settings: CooldownSettings,
  { accountId, kind, now }: Omit<SettledJob, 'failed'>,
): Promise<void> {
  if (settings.failedJobs === 0 && settings.ratioJobs === 0) return;
  await db.transaction().execute(async (tx) => {
    const job = { accountId, kind, now, failed: true };
    const locked = await lockCooldown(tx, accountId, kind);
    const record = { ...locked, refused_at: [...refusedSince(locked, hourBefore(now)), now] };
    const count = await countFailures(tx, settings, job, record);
    await saveCooldown(tx, afterSettled(record, settings, job, count));
  });
}

/** Counts the jobs of the last hour and costly rejections, which count as failed jobs. */
async function countFailures(
  tx: Tx,
  { ratioJobs }: CooldownSettings,
  { accountId, kind, now }: SettledJob,
  record: CooldownRecord | undefined,
): Promise<SettledCount> {
  const since = hourBefore(now);
  const refused = record === undefined ? 0 : refusedSince(record, since).length;
  const jobs = await countSettled(tx, accountId, kind, since, ratioJobs + refused);
  return { failed: jobs.failed + refused, settled: jobs.settled + refused };
}

function refusedSince({ refused_at }: CooldownRecord, since: Date): readonly Date[] {
  return refused_at.filter((at) => at > since);
}

function hourBefore(now: Date): Date {
  return new Date(now.getTime() - RATIO_WINDOW_MS);
}

/**
 * Computes the next record. Jobs accepted before a pause began do not extend it; only a failure after it doubles the
 * next one. A success ends the series of failures, but not a running pause.
 */
export function afterSettled(
  record: CooldownRecord,
  settings: CooldownSettings,
  { failed, now }: Pick<SettledJob, 'failed' | 'now'>,
  count: SettledCount,
): CooldownRecord {
  const next = { ...record };
  next.consecutive_failed = failed ? record.consecutive_failed + 1 : 0;
  if (!failed) next.level = 0;
  const inARow = settings.failedJobs > 0 && next.consecutive_failed >= settings.failedJobs;
  if (inARow && !isRunning(record.repeated_until, now)) {
    next.level = record.level + 1;
    next.repeated_until = later(now, backoffMs(next.level, FIRST_PAUSE_MS, LONGEST_PAUSE_MS));
  }
  const enough = settings.ratioJobs > 0 && count.settled >= settings.ratioJobs;
  if (enough && count.failed * 2 >= count.settled && !isRunning(record.ratio_until, now))
    next.ratio_until = later(now, RATIO_PAUSE_MS);
  return next;
}

export async function cooldownFor(
  db: Db,
  settings: CooldownSettings,
  accountId: string,
  kind: string,
  now: Date,
): Promise<Cooldown | undefined> {
  const record = await findCooldown(db, accountId, kind);
  if (record === undefined) return undefined;
  const { repeated_until: repeated, ratio_until: ratio } = record;
  if (settings.failedJobs > 0 && isRunning(repeated, now))
    return { reason: 'repeated', retryAfterSeconds: secondsUntil(repeated, now) };
  if (settings.ratioJobs > 0 && isRunning(ratio, now))
    return { reason: 'ratio', retryAfterSeconds: secondsUntil(ratio, now) };
  return undefined;
}

function isRunning(until: Date | null, now: Date): until is Date {
  return until !== null && until > now;
}

function secondsUntil(until: Date, now: Date): number {
  return Math.ceil((until.getTime() - now.getTime()) / 1000);
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
