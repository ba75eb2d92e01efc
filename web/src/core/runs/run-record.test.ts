import { describe, expect, it } from 'vitest';
import {
  isDownloadable,
  MAX_RUNS,
  type RunRecord,
  type RunResult,
  withResult,
  withRun,
} from './run-record.ts';

const run = (jobId: string, sha256 = 'a') => ({
  jobId,
  account: 'main',
  startedAt: 0,
  projectName: 'letter',
  layout: { sha256 },
  file: { name: 'people.csv', sha256: 'f', rowCount: 3, corrections: 0 },
  rows: [[1, 3]] as const,
  sentSha256: 's',
  retryOf: null,
  options: {
    flattenForms: false,
    includeStickers: false,
    filenameColumns: [],
    maxFailedRowPercent: 100,
    webhookUrl: null,
  },
  result: null,
});
const result: RunResult = {
  status: 'completed',
  created: 3,
  failed: 0,
  partial: 0,
  noted: 0,
  error: null,
  expiresAt: '2026-01-01T06:00:00.000Z',
  sizeBytes: 10,
};

describe('the runs of a project', () => {
  it('[EDT64] runs of equal and of changed layouts: equal ones share a version, a changed one gets the next', () => {
    let runs: readonly RunRecord[] = [];
    for (const [job, layout] of [
      ['1', 'a'],
      ['2', 'b'],
      ['3', 'a'],
      ['4', 'c'],
    ] as const)
      runs = withRun(runs, run(job, layout));
    expect(runs.map(({ jobId, layout }) => [jobId, layout.version])).toEqual([
      ['4', 3],
      ['3', 1],
      ['2', 2],
      ['1', 1],
    ]);
  });

  it('[EDT64] a job that is listed already: moves to the front; the list is bounded', () => {
    let runs: readonly RunRecord[] = [];
    for (let job = 1; job <= MAX_RUNS + 5; job += 1) runs = withRun(runs, run(String(job)));
    runs = withRun(runs, run('20'));
    expect(runs).toHaveLength(MAX_RUNS);
    expect(runs[0]?.jobId).toBe('20');
    expect(runs.filter(({ jobId }) => jobId === '20')).toHaveLength(1);
  });

  it('[EDT64] a result: belongs to its run; the ZIP can be downloaded until it expires', () => {
    const runs = withResult(withRun(withRun([], run('1')), run('2')), '1', result);
    expect(runs.map((entry) => entry.result?.status)).toEqual([undefined, 'completed']);
    expect(withResult(runs, 'unknown', result)).toBe(runs);
    const [open, done] = runs as [RunRecord, RunRecord];
    const at = Date.parse('2026-01-01T06:00:00.000Z');
    expect([open, done].map((entry) => isDownloadable(entry, at - 1))).toEqual([false, true]);
    expect(isDownloadable(done, at)).toBe(false);
  });
});
