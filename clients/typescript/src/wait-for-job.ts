import { pause } from './pause.ts';
import type { CallOptions } from './progress.ts';
import { readEvents } from './read-events.ts';
import type { Call, Transport } from './transport.ts';

export interface Waiting<Job> extends CallOptions {
  readonly transport: Transport;
  /** Reads the job. */
  readonly get: () => Promise<Job>;
  readonly isSettled: (job: Job) => boolean;
  /** Called with every state that was read. */
  readonly onState?: ((job: Job) => void) | undefined;
  /** The stream of server-sent events of the job, if the surface has one, and what to do with an event. */
  readonly events?: {
    readonly call: Call;
    readonly onEvent: (name: string, data: unknown) => 'go on' | 'settled';
  };
}

/** The server sends a comment every 15 seconds; a stream that is silent for longer is broken or held back by a proxy. */
const SILENCE_MS = 20_000;
const MAX_MISSES = 3;
const FIRST_POLL_MS = 300;
const LONGEST_POLL_MS = 5_000;

/** Waits until a job has settled and returns it: by its events, or by reading it if they do not arrive. */
export async function waitForJob<Job>(waiting: Waiting<Job>): Promise<Job> {
  const { get, isSettled, onState, signal } = waiting;
  let misses = waiting.events === undefined ? MAX_MISSES : 0;
  for (let polls = 0; ; polls += 1) {
    const job = await get();
    onState?.(job);
    if (isSettled(job)) return job;
    if (misses < MAX_MISSES) {
      if (await follow(waiting)) continue;
      misses += 1;
    }
    const ms = Math.min(FIRST_POLL_MS * 1.5 ** polls, LONGEST_POLL_MS);
    await pause(ms * (0.75 + Math.random() / 4), signal);
  }
}

/** Reads events until one says that the job has settled. False: the stream broke or ended without one. */
async function follow<Job>({ transport, events, signal }: Waiting<Job>): Promise<boolean> {
  if (events === undefined) return false;
  try {
    const idleMs = Math.min(SILENCE_MS, transport.timeoutMs);
    const { chunks } = await transport.open(
      { ...events.call, headers: { accept: 'text/event-stream' }, signal },
      idleMs,
    );
    for await (const { event, data } of readEvents(chunks))
      if (events.onEvent(event, data) === 'settled') return true;
    return false;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return false;
  }
}
