import type { Health } from '#console/contract/health.ts';
import { expiryNotice } from '../keys/expiring-key.ts';

export interface Verdict {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly title: string;
  readonly advice?: string;
}

const LOW_DISK = 0.1;
const OLD_WORK_SECONDS = 60;

/** One sentence for somebody who only wants to know whether to worry. The worst finding speaks. */
export function judge(health: Health): Verdict {
  const { free_bytes: free, total_bytes: total, floor_bytes: floor } = health.disk;
  if (free !== null && free < floor)
    return {
      tone: 'bad',
      title: 'The disk is full',
      advice: 'New work is refused until there is free space again. Make room, or move the data directory.',
    };
  if (free !== null && total !== null && total > 0 && free / total < LOW_DISK)
    return {
      tone: 'bad',
      title: 'The disk is nearly full',
      advice: 'Creates are refused when it is. Make room, or move the data directory.',
    };
  const late = health.queues.find(({ oldest_seconds }) => oldest_seconds > OLD_WORK_SECONDS);
  if (late !== undefined)
    return {
      tone: 'warn',
      title: `Work waits in the queue “${late.name}”`,
      advice: 'More workers (ROWPRESS_WORKERS) or another node would shorten the wait.',
    };
  if (health.background_errors.length > 0)
    return {
      tone: 'warn',
      title: 'Background work has failed in the last hour',
      advice: 'It is repeated by itself; the list below says what it was.',
    };
  const notice = expiryNotice(health.expiring_keys);
  if (notice !== undefined)
    return { tone: 'warn', title: notice, advice: 'Rotate them under Keys before programs stop working.' };
  return { tone: 'good', title: 'All is well' };
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
