import type { ExportJob, ProgressEvent } from '#bulkfill/contract.ts';
import type { ProblemRow } from '#console/contract/jobs.ts';
import type { Page } from '#console/contract/list.ts';
import { callJson, operatorUrl } from '../api/operator-client.ts';
import { say, tellError } from '../ui/messages.tsx';
import { forgetRequestKey } from './request-key.ts';
import { type ListedProblems, type RunningJob, showStage, useRun } from './run-store.ts';
import { withProgress } from './speed.ts';

export const jobPath = (id: string): string => `/acting/bulkfill/export-jobs/${id}`;

let events: EventSource | null = null;

/** Follows a job by server-sent events until it has settled. The browser reconnects on its own and receives what it missed. */
export function followJob(started: RunningJob): void {
  events?.close();
  const stream = new EventSource(operatorUrl(`${jobPath(started.id)}/events`, { account: started.account }));
  events = stream;
  let job = started;
  showStage({ at: 'running', job });
  const take = (event: MessageEvent<string>) => {
    const { rows_total, rows_done, rows_failed } = JSON.parse(event.data) as ProgressEvent;
    job = withProgress({ ...job, total: rows_total }, rows_done, rows_failed, performance.now());
    if (events === stream) showStage({ at: 'running', job });
  };
  stream.addEventListener('progress', take);
  stream.addEventListener('settled', (event) => {
    take(event);
    stream.close();
    if (events === stream) settle(job).catch(tellError);
  });
}

const PROBLEMS_SHOWN = 100;

/** Reads the result of the job and its problem rows. */
export async function settle(job: RunningJob): Promise<void> {
  const { id, account } = job;
  const { subject } = useRun.getState();
  const envelope = await callJson<ExportJob>(jobPath(id), { account });
  if (envelope.status === 'failed') forgetRequestKey();
  const problems = await loadProblems(id).catch(() => null);
  // Another run was started meanwhile.
  if (useRun.getState().subject !== subject) return;
  showStage({
    at: 'settled',
    job,
    outcome: {
      status: envelope.status === 'failed' ? 'failed' : 'completed',
      error: envelope.error ?? null,
      fileSizeBytes: envelope.result?.file_size_bytes ?? null,
      expiresAt: envelope.result?.expires_at ?? null,
      problems,
    },
  });
  say(envelope.status === 'failed' ? 'Run failed' : 'Run finished');
}

/** Loads the problem rows of the shown result again. Throws if they cannot be loaded this time either. */
export async function reloadProblems(job: RunningJob): Promise<void> {
  const problems = await loadProblems(job.id);
  const { stage } = useRun.getState();
  // Another run was started meanwhile.
  if (stage.at !== 'settled' || stage.job.id !== job.id) return;
  showStage({ ...stage, outcome: { ...stage.outcome, problems } });
}

async function loadProblems(id: string): Promise<ListedProblems> {
  const { items, next_cursor } = await callJson<Page<ProblemRow>>(`/jobs/${id}/problem-rows`, {
    query: { limit: PROBLEMS_SHOWN },
  });
  return { rows: items, more: next_cursor !== null };
}

export async function cancelRun(): Promise<void> {
  const { stage } = useRun.getState();
  if (stage.at !== 'running') return;
  const { id, account } = stage.job;
  await callJson(jobPath(id), { method: 'DELETE', account });
}
