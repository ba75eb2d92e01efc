import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

export interface ServerEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}

/** Encodes one server-sent event (HTML standard, section 9.2). */
export function eventFrame({ id, event, data }: ServerEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Encodes a comment, which clients ignore. Proxies close a connection that stays silent, so streams send one now and then. */
export const commentFrame = (text: string): string => `: ${text}\n\n`;

interface EventStreamOptions {
  readonly shutdown: AbortSignal;
  /** Longest duration of the stream. Clients reconnect on their own. */
  readonly maxMs?: number;
}

/**
 * Sends the frames of `open` as a stream of server-sent events. `leave` aborts when the client disconnects, the server
 * shuts down, or `maxMs` has passed; the generator must end then.
 */
export function sendEvents(
  reply: FastifyReply,
  { shutdown, maxMs }: EventStreamOptions,
  open: (leave: AbortSignal) => AsyncGenerator<string>,
): FastifyReply {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const ends = [gone.signal, shutdown, ...(maxMs === undefined ? [] : [AbortSignal.timeout(maxMs)])];
  reply.headers({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    // nginx buffers responses otherwise.
    'x-accel-buffering': 'no',
  });
  return reply.send(Readable.from(open(AbortSignal.any(ends)), { objectMode: false }));
}
