import type { FastifyRequest } from 'fastify';
import type { ConsoleParts } from '../console-parts.ts';
import { refuse } from '../errors.ts';

/** Limits how many challenges one person or client address can get. */
export const limitChallenges =
  ({ limits }: Pick<ConsoleParts, 'limits'>, idOf: (request: FastifyRequest) => string) =>
  async (request: FastifyRequest): Promise<void> => {
    const verdict = await limits.take('console.passkey-challenge', idOf(request));
    if (!verdict.ok)
      throw refuse('RATE_LIMITED', undefined, { retryAfterSeconds: verdict.retryAfterSeconds });
  };
