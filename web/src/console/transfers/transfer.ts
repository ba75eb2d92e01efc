import type { JobStatus } from '#subscribers/import/contract.ts';
import type { Tone } from '../../ui/badge.tsx';

export const STATUS_TONES: Readonly<Record<JobStatus, Tone>> = {
  Queued: 'neutral',
  Processing: 'accent',
  Completed: 'good',
  Failed: 'bad',
};
