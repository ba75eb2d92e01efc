import { expect, test } from 'vitest';
import type { Job } from '#console/contract/jobs.ts';
import { type JobFilter, mergeJob, stateLabel } from './job.ts';

const job = (id: string, change: Partial<Job> = {}): Job => ({
  id,
  public_id: id,
  surface: 'bulkfill',
  kind: 'bulkfill.export',
  account: 'demo',
  state: 'processing',
  created_at: `2026-11-16T10:00:0${id}.000Z`,
  started_at: null,
  settled_at: null,
  rows: { total: 10, done: 0, succeeded: 0, failed: 0 },
  request_key: null,
  request_id: null,
  error: null,
  cancelled: false,
  ...change,
});
const everything: JobFilter = { surface: '', state: '', account: '', q: '' };
const ids = (jobs: readonly Job[]) => jobs.map(({ id }) => id);
const list = [job('5'), job('3'), job('2')];

test('a known job is changed where it stands', () => {
  const told = job('3', { rows: { total: 10, done: 7, succeeded: 7, failed: 0 } });
  const merged = mergeJob(list, told, everything);
  expect(ids(merged)).toEqual(['5', '3', '2']);
  expect(merged[1]?.rows.done).toBe(7);
});

test('a new job goes to its place by time, an old one of another page nowhere', () => {
  expect(ids(mergeJob(list, job('9'), everything))).toEqual(['9', '5', '3', '2']);
  expect(ids(mergeJob(list, job('4'), everything))).toEqual(['5', '4', '3', '2']);
  expect(ids(mergeJob(list, job('1'), everything))).toEqual(['5', '3', '2']);
  expect(ids(mergeJob([], job('1'), everything))).toEqual(['1']);
});

test('a job that no longer fits the filter leaves, one that does not fit never comes', () => {
  const processing = { ...everything, state: 'processing' };
  expect(ids(mergeJob(list, job('3', { state: 'completed' }), processing))).toEqual(['5', '2']);
  expect(
    ids(mergeJob(list, job('9', { surface: 'ingest' }), { ...everything, surface: 'bulkfill' })),
  ).toEqual(['5', '3', '2']);
  expect(ids(mergeJob(list, job('9'), { ...everything, q: 'row' }))).toEqual(['5', '3', '2']);
});

test('a cancelled job is not called failed', () => {
  expect(stateLabel(job('1', { state: 'failed', cancelled: true })).name).toBe('Cancelled');
  expect(stateLabel(job('1', { state: 'failed' }))).toEqual({ name: 'Failed', tone: 'bad' });
});
