import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { JobSummary } from '#storage/console/jobs.ts';
import type { AllJobViews } from '../job-views.ts';
import { showJob } from './job-view.ts';
import type { JobWatcher } from './job-watcher.ts';

/** Proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 15_000;
/** Then the client reconnects by itself, and its session is checked again. */
const MAX_MS = 15 * 60_000;

/**
 * Streams open jobs as Server-Sent Events: first all of them, then each one when it changes. A newer state replaces one that a slow
 * reader has not received yet, so a reader costs one entry per job, not one per change.
 */
export async function streamJobs(
  watcher: JobWatcher,
  views: AllJobViews,
  reply: FastifyReply,
  shutdown: AbortSignal,
): Promise<FastifyReply> {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const leave = AbortSignal.any([gone.signal, shutdown, AbortSignal.timeout(MAX_MS)]);
  reply.headers({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  return reply.send(Readable.from(events(watcher, views, leave), { objectMode: false }));
}

async function* events(watcher: JobWatcher, views: AllJobViews, leave: AbortSignal): AsyncGenerator<string> {
  const waiting = new Map<string, JobSummary>();
  let wake: () => void = () => {};
  const add = (jobs: readonly JobSummary[]) => {
    for (const job of jobs) waiting.set(job.id, job);
    wake();
  };
  const leaving = () => wake();
  leave.addEventListener('abort', leaving);
  // Sent at once, so that the client can see that it is connected.
  yield 'retry: 2000\n: open\n\n';
  const { open, stop } = await watcher.listen(add);
  try {
    for (const job of open) if (!waiting.has(job.id)) waiting.set(job.id, job);
    while (!leave.aborted) {
      const jobs = [...waiting.values()];
      waiting.clear();
      if (jobs.length > 0) yield jobs.map((job) => frame(job, views)).join('');
      if (waiting.size > 0 || leave.aborted) continue;
      const told = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(resolve, HEARTBEAT_MS, false);
        wake = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
      if (!told) yield ': still there\n\n';
    }
  } finally {
    stop();
    leave.removeEventListener('abort', leaving);
  }
}

function frame(job: JobSummary, views: AllJobViews): string {
  return `event: job\ndata: ${JSON.stringify(showJob(job, views))}\n\n`;
}
