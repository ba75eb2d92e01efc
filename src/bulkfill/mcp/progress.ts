import type { ProgressEvent } from '../contract.ts';
import { read, type ToolContext } from './api.ts';
import { jobPath } from './jobs.ts';

const FIRST_EVENT_SECONDS = 10;

/** Reads the progress of a job as it is now, or waits until the job has settled. Returns the last event. */
export async function readProgress(
  context: ToolContext,
  jobId: string,
  waitSeconds: number,
): Promise<ProgressEvent | undefined> {
  const { body } = await read(context, `${jobPath(jobId)}/events`);
  if (body === null) return undefined;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  // Ends the read below. The first event comes at once, but not with the headers.
  const limitMs = 1000 * Math.max(waitSeconds, FIRST_EVENT_SECONDS);
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), limitMs);
  let last: ProgressEvent | undefined;
  let text = '';
  try {
    for (;;) {
      const { done, value = '' } = await reader.read();
      const frames = (text + value).split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) last = eventOf(frame) ?? last;
      if (done || (last !== undefined && (waitSeconds === 0 || isSettled(last)))) return last;
    }
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => {});
  }
}

const isSettled = ({ status }: ProgressEvent) => status === 'completed' || status === 'failed';

/** Comments have no data. */
function eventOf(frame: string): ProgressEvent | undefined {
  const data = frame.split('\n').find((line) => line.startsWith('data: '));
  return data === undefined ? undefined : (JSON.parse(data.slice('data: '.length)) as ProgressEvent);
}
