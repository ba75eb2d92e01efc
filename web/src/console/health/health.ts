import type { Health } from '#console/contract/health.ts';
import { expiryNotice } from '../keys/expiring-key.ts';

export interface Verdict {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly title: string;
  readonly advice?: string;
}

const LOW_DISK = 0.1;
const OLD_WORK_SECONDS = 60;

/** Sums up the health in one sentence: the most severe problem. */
export function judge(health: Health): Verdict {
  const { free_bytes: free, total_bytes: total, floor_bytes: floor } = health.disk;
  if (free !== null && free < floor)
    return {
      tone: 'bad',
      title: 'The disk is full',
      advice:
        'The server rejects new work until there is free space. Free up space, or move the data directory.',
    };
  if (free !== null && total !== null && total > 0 && free / total < LOW_DISK)
    return {
      tone: 'bad',
      title: 'The disk is nearly full',
      advice: 'The server rejects new work when the disk is full. Free up space, or move the data directory.',
    };
  const late = health.queues.find(({ oldest_seconds }) => oldest_seconds > OLD_WORK_SECONDS);
  if (late !== undefined)
    return {
      tone: 'warn',
      title: `Work is waiting in the queue “${late.name}”`,
      advice: 'Add workers (ROWPRESS_WORKERS) or another node.',
    };
  if (health.background_errors.length > 0)
    return {
      tone: 'warn',
      title: 'Background work failed in the last hour',
      advice: 'The server retries it. See the list below for details.',
    };
  const notice = expiryNotice(health.expiring_keys);
  if (notice !== undefined)
    return { tone: 'warn', title: notice, advice: 'Rotate them under Keys before programs stop working.' };
  return { tone: 'good', title: 'No problems found' };
}

/** The active layers by name, and after them the missing ones. */
export function sandboxText(layers: Health['sandbox']): string {
  const names = (active: boolean) =>
    Object.entries(layers)
      .filter(([, on]) => on === active)
      .map(([name]) => name.replaceAll('_', ' '))
      .join(', ');
  if (names(true) === '') return "Only Node's permission model";
  return names(false) === '' ? names(true) : `${names(true)} (without ${names(false)})`;
}
