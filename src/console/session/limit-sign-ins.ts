import type { FastifyRequest } from 'fastify';
import type { ConsoleParts } from '../console-parts.ts';
import { refuse } from '../errors.ts';

/** Limits the attempts to sign in of one client address, whatever the method. */
export const limitSignIns =
  (parts: ConsoleParts) =>
  async (request: FastifyRequest): Promise<void> => {
    const verdict = await parts.limits.take('console.sign-in', request.ip);
    if (!verdict.ok)
      throw refuse('RATE_LIMITED', undefined, { retryAfterSeconds: verdict.retryAfterSeconds });
  };
