import type { FastifyReply } from 'fastify';

/** Runs `act` once the response has left, or when the client has gone: whichever comes first. */
export function whenClosed({ raw }: FastifyReply, act: () => void): void {
  if (raw.closed || raw.destroyed) act();
  else raw.once('close', act);
}
