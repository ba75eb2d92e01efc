import type { JobDetail } from '#console/contract/jobs.ts';
import { callJson } from '../api/operator-client.ts';
import { ServerRefusal } from '../api/server-refusal.ts';
import { countRows } from '../core/runs/row-ranges.ts';
import {
  isDownloadable,
  type RunRecord,
  type RunResult,
  withResult,
  withRun,
} from '../core/runs/run-record.ts';
import { useWork } from '../project/work-store.ts';
import { resultOf } from './job-result.ts';
import { loadProblems } from './problem-rows.ts';
import type { RunningJob } from './run-store.ts';

/** Adds a run to the history of the open project. */
export function keepRun(run: Parameters<typeof withRun>[1]): void {
  useWork.setState(({ runs }) => ({ runs: withRun(runs, run) }));
}

/** Sets the result of a run, if the open project has it. Returns the result. */
export function keepResult(jobId: string, result: RunResult): RunResult {
  useWork.setState(({ runs }) => ({ runs: withResult(runs, jobId, result) }));
  return result;
}

/** Progress of the open jobs by id. */
export type OpenJobs = ReadonlyMap<string, { readonly done: number; readonly total: number }>;

/**
 * Reads the state of every run that may have changed: open jobs, and ZIPs that could be downloaded. Returns the jobs that
 * are still open. Throws if the server cannot be reached.
 */
export async function refreshRuns(): Promise<OpenJobs> {
  const now = Date.now();
  const { runs } = useWork.getState();
  const changing = runs.filter((run) => run.result === null || isDownloadable(run, now));
  const open = new Map<string, { done: number; total: number }>();
  await Promise.all(
    changing.map(async (run) => {
      const detail = await loadJob(run.jobId);
      if (detail === null) keepResult(run.jobId, goneResult(run));
      else if (detail.state === 'queued' || detail.state === 'processing')
        open.set(run.jobId, { done: detail.rows.done, total: detail.rows.total });
      else if (run.result === null) {
        const problems = await loadProblems({ id: run.jobId, account: run.account }).catch(() => null);
        keepResult(run.jobId, resultOf(detail, problems));
      } else if (detail.artifact?.available !== true)
        keepResult(run.jobId, { ...run.result, expiresAt: null });
    }),
  );
  return open;
}

/** Null if the server no longer has the job. */
async function loadJob(id: string): Promise<JobDetail | null> {
  try {
    return await callJson<JobDetail>(`/jobs/${id}`);
  } catch (error) {
    if (error instanceof ServerRefusal && error.status === 404) return null;
    throw error;
  }
}

const goneResult = ({ result }: RunRecord): RunResult => ({
  created: 0,
  failed: 0,
  partial: 0,
  noted: 0,
  error: null,
  sizeBytes: null,
  ...result,
  status: 'gone',
  expiresAt: null,
});

/** A run of the history as the result and the progress show it. */
export const jobOf = ({ jobId, account, rows, documents, file, retryOf }: RunRecord): RunningJob => {
  const total = documents ?? countRows(rows);
  const isGrouped = documents !== undefined;
  const base = { id: jobId, account, rows, rowsName: file.name, retryOf, isGrouped, requestKey: null };
  return { ...base, total, done: total, failed: 0, since: null, rowsPerSecond: null };
};
