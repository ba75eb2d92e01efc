import type { FastifyReply } from 'fastify';

/** Runs `act` when the response was sent or the client disconnected, whichever comes first. */
export function whenClosed({ raw }: FastifyReply, act: () => void): void {
  if (raw.closed || raw.destroyed) act();
  else raw.once('close', act);
}
