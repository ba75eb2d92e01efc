import type { FastifyReply } from 'fastify';
import { commentFrame, eventFrame, sendEvents } from '#http/event-stream.ts';
import type { JobSummary } from '#storage/console/jobs.ts';
import { type AllJobViews, surfaceOf } from '../job-views.ts';
import { showJob } from './job-view.ts';
import type { JobWatcher } from './job-watcher.ts';

/** Proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 15_000;
/** The client reconnects after this time, and the guard checks its session again. */
const MAX_MS = 15 * 60_000;

export interface ShownJobs {
  readonly views: AllJobViews;
  /** Only the jobs of this account; undefined: all of them. */
  readonly accountId: string | undefined;
  /** Only the jobs of these surfaces; undefined: all of them. */
  readonly surfaces: readonly string[] | undefined;
}

/**
 * Sends the open jobs as server-sent events: first all of them, then each one when it has changed. A newer state replaces
 * one that a slow client has not received yet, so the queue holds one entry per job instead of one per change.
 */
export async function streamJobs(
  watcher: JobWatcher,
  shown: ShownJobs,
  reply: FastifyReply,
  shutdown: AbortSignal,
): Promise<FastifyReply> {
  return sendEvents(reply, { shutdown, maxMs: MAX_MS }, (leave) => events(watcher, shown, leave));
}

async function* events(
  watcher: JobWatcher,
  { views, accountId, surfaces }: ShownJobs,
  leave: AbortSignal,
): AsyncGenerator<string> {
  const isShown = (job: JobSummary) =>
    (accountId ?? job.account_id) === job.account_id && (surfaces?.includes(surfaceOf(job.kind)) ?? true);
  const waiting = new Map<string, JobSummary>();
  let wake: () => void = () => {};
  const add = (jobs: readonly JobSummary[]) => {
    for (const job of jobs.filter(isShown)) waiting.set(job.id, job);
    wake();
  };
  const leaving = () => wake();
  leave.addEventListener('abort', leaving);
  // Sent at once, so that the client sees that it is connected.
  yield `retry: 2000\n${commentFrame('open')}`;
  const { open, stop } = await watcher.listen(add);
  try {
    for (const job of open.filter(isShown)) if (!waiting.has(job.id)) waiting.set(job.id, job);
    while (!leave.aborted) {
      const jobs = [...waiting.values()];
      waiting.clear();
      if (jobs.length > 0)
        yield jobs.map((job) => eventFrame({ event: 'job', data: showJob(job, views) })).join('');
      if (waiting.size > 0 || leave.aborted) continue;
      const woken = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(resolve, HEARTBEAT_MS, false);
        wake = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
      if (!woken) yield commentFrame('still there');
    }
  } finally {
    stop();
    leave.removeEventListener('abort', leaving);
  }
}
