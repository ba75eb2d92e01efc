import type { Job } from '#console/contract/jobs.ts';
import type { Tone } from '../../ui/badge.tsx';

export interface JobFilter {
  readonly surface: string;
  readonly state: string;
  readonly account: string;
  readonly q: string;
}

export const isOpen = ({ state }: Pick<Job, 'state'>): boolean =>
  state === 'queued' || state === 'processing';

const KIND_NAMES: Readonly<Record<string, string>> = {
  'bulkfill.export': 'Fill documents',
  'subscribers.import': 'Import subscribers',
  'subscribers.export': 'Export subscribers',
  'ingest.load': 'Load items',
};
export const kindName = (kind: string): string => KIND_NAMES[kind] ?? kind;

export function stateLabel({ state, cancelled }: Pick<Job, 'state' | 'cancelled'>): {
  name: string;
  tone: Tone;
} {
  if (cancelled) return { name: 'Cancelled', tone: 'neutral' };
  if (state === 'completed') return { name: 'Completed', tone: 'good' };
  if (state === 'failed') return { name: 'Failed', tone: 'bad' };
  return state === 'processing'
    ? { name: 'Processing', tone: 'accent' }
    : { name: 'Queued', tone: 'neutral' };
}

/**
 * Merges a job from the stream into the list. A listed job is replaced, or removed if it no longer matches the filter. A new
 * job is inserted by time if it matches. A list with a text filter gets no new jobs, because only the server can match the text.
 */
export function mergeJob(jobs: readonly Job[], told: Job, filter: JobFilter): readonly Job[] {
  const fits =
    (filter.surface === '' || filter.surface === told.surface) &&
    (filter.account === '' || filter.account === told.account) &&
    (filter.state === '' || filter.state === told.state);
  const known = jobs.some(({ id }) => id === told.id);
  if (known)
    return fits
      ? jobs.map((job) => (job.id === told.id ? told : job))
      : jobs.filter(({ id }) => id !== told.id);
  if (!fits || filter.q !== '') return jobs;
  // The stream starts with all open jobs; old ones belong to pages that are not loaded.
  const oldest = jobs.at(-1);
  if (oldest !== undefined && told.created_at < oldest.created_at) return jobs;
  const place = jobs.findIndex((job) => job.created_at <= told.created_at);
  return place === -1 ? [...jobs, told] : jobs.toSpliced(place, 0, told);
}
