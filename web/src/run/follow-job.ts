import type { ExportJob, ProgressEvent } from '#bulkfill/contract.ts';
import type { JobDetail } from '#console/contract/jobs.ts';
import { callJson, operatorUrl } from '../api/operator-client.ts';
import { say, tellError } from '../ui/messages.tsx';
import { resultOf } from './job-result.ts';
import { jobPath, loadProblems } from './problem-rows.ts';
import { forgetRequestKey } from './request-key.ts';
import { keepResult } from './run-history.ts';
import { type Outcome, type RunningJob, type RunSubject, showStage, useRun } from './run-store.ts';
import { withProgress } from './speed.ts';

let events: EventSource | null = null;

/** Follows a job by server-sent events until it has settled. The browser reconnects on its own and receives what it missed. */
export function followJob(started: RunningJob): void {
  events?.close();
  const stream = new EventSource(operatorUrl(`${jobPath(started.id)}/events`, { account: started.account }));
  events = stream;
  // The next run may be checked or sent while this one ends.
  const { subject } = useRun.getState();
  let job = started;
  showStage({ at: 'running', job });
  const take = (event: MessageEvent<string>) => {
    const { rows_total, rows_done, rows_failed } = JSON.parse(event.data) as ProgressEvent;
    job = withProgress({ ...job, total: rows_total }, rows_done, rows_failed, performance.now());
    if (events === stream && isShown(subject)) showStage({ at: 'running', job });
  };
  stream.addEventListener('progress', take);
  stream.addEventListener('settled', (event) => {
    take(event);
    stream.close();
    if (events === stream) settle(job, subject).catch(tellError);
  });
}

/** Whether the run of these inputs is still the latest one. */
const isShown = (subject: RunSubject | null): boolean => useRun.getState().subject === subject;

/** Reads the result of the job, keeps it in the history, and shows it unless another run was started. */
export async function settle(
  job: RunningJob,
  subject: RunSubject | null = useRun.getState().subject,
): Promise<void> {
  const outcome = await loadOutcome(job);
  if (!isShown(subject)) return;
  if (outcome.status === 'failed') forgetRequestKey(job.requestKey);
  showStage({ at: 'settled', job, outcome });
  say(outcome.status === 'failed' ? 'Run failed' : 'Run finished');
}

/** Reads the result of a settled job and its problem rows, and keeps the result in the history. */
export async function loadOutcome({ id, account }: Pick<RunningJob, 'id' | 'account'>): Promise<Outcome> {
  const [envelope, detail] = await Promise.all([
    callJson<ExportJob>(jobPath(id), { account }),
    callJson<JobDetail>(`/jobs/${id}`),
  ]);
  const problems = await loadProblems({ id, account }).catch(() => null);
  const { created: _, noted: __, sizeBytes, ...result } = keepResult(id, resultOf(detail, problems));
  return {
    ...result,
    status: envelope.status === 'failed' ? 'failed' : 'completed',
    error: envelope.error ?? null,
    fileSizeBytes: sizeBytes,
    problems,
  };
}

/** Loads the problem rows of the shown result again. Throws if they cannot be loaded this time either. */
export async function reloadProblems(job: RunningJob): Promise<void> {
  const outcome = await loadOutcome(job);
  if (outcome.problems === null) await loadProblems(job);
  const { stage } = useRun.getState();
  // Another run was started meanwhile.
  if (stage.at === 'settled' && stage.job.id === job.id) showStage({ ...stage, outcome });
}

export async function cancelRun(): Promise<void> {
  const { stage } = useRun.getState();
  if (stage.at !== 'running') return;
  const { id, account } = stage.job;
  await callJson(jobPath(id), { method: 'DELETE', account });
}
