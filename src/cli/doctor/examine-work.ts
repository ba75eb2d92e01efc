import { systemClock } from '#lib/clock.ts';
import {
  measureFailedJobs,
  measureFailingDeliveries,
  measureWaitingJobs,
} from '#storage/console/failing-work.ts';
import type { Db } from '#storage/database.ts';
import { attempt, type Finding } from './finding.ts';

const DAY_MS = 86_400_000;
/** A job usually starts within seconds. */
const LONG_WAIT_MS = 300_000;

/** Checks what the server works on: the same facts as the console's health page. */
export async function examineWork(db: Db): Promise<Finding[]> {
  const now = systemClock.now();
  const since = new Date(now.getTime() - DAY_MS);
  return [
    await attempt('waiting jobs', () => examineWaiting(db, now)),
    await attempt('failed jobs', () => examineFailed(db, since)),
    await attempt('webhooks', () => examineWebhooks(db, since)),
  ];
}

async function examineWaiting(db: Db, now: Date): Promise<Omit<Finding, 'name'>> {
  const { count, oldest_at: oldest } = await measureWaitingJobs(db);
  if (oldest === null) return { state: 'ok', detail: 'none' };
  const waitedMs = now.getTime() - oldest.getTime();
  const detail = `${count}, the oldest for ${Math.max(0, Math.round(waitedMs / 1000))} s`;
  if (waitedMs < LONG_WAIT_MS) return { state: 'ok', detail };
  return { state: 'warning', detail, advice: 'check that a node with the role all or worker is running' };
}

async function examineFailed(db: Db, since: Date): Promise<Omit<Finding, 'name'>> {
  const surfaces = await measureFailedJobs(db, since);
  if (surfaces.length === 0) return { state: 'ok', detail: 'none in the last 24 hours' };
  const told = surfaces.map(({ surface, failed, codes }) => `${failed} of ${surface} (${codes[0]?.code})`);
  const detail = `${told.join(', ')} in the last 24 hours`;
  if (!surfaces.some(({ is_frequent }) => is_frequent)) return { state: 'ok', detail };
  return { state: 'warning', detail, advice: 'open the failed jobs in the console' };
}

async function examineWebhooks(db: Db, since: Date): Promise<Omit<Finding, 'name'>> {
  const { failing, given_up: lost } = await measureFailingDeliveries(db, since);
  if (failing + lost === 0) return { state: 'ok', detail: 'no failing deliveries' };
  const detail = `${lost} given up in the last 24 hours, ${failing} failing`;
  return { state: 'warning', detail, advice: 'fix the receivers, then redeliver in the console' };
}
