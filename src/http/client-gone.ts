import type { FastifyReply } from 'fastify';

const signals = new WeakMap<FastifyReply, AbortSignal>();

/** Aborts when the connection of a request closes before its response was sent. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const known = signals.get(reply);
  if (known !== undefined) return known;
  const gone = new AbortController();
  const { raw } = reply;
  // A response emits `close` once, after it was sent or when its connection broke.
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  // Already closed: the event would never fire.
  if (raw.destroyed) gone.abort();
  signals.set(reply, gone.signal);
  return gone.signal;
}
