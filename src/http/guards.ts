import type { FastifyRequest } from 'fastify';
import type { KeyKinds } from '#engine/keys/key-kinds.ts';
import { isKeyOfAnother } from '#engine/keys/key-text.ts';
import type { LimitVerdict } from '#engine/limits/rate-limits.ts';
import { addressGroup } from '#lib/address-group.ts';
import { ApiError, type ApiErrorExtra } from '#lib/errors/api-error.ts';
import type { ShellFault } from '#lib/errors/catalogue.ts';
import type { Metrics } from '#lib/metrics.ts';
import { onlyValue } from './dialects/dialect-spec.ts';
import type { Dialects } from './dialects/dialects.ts';
import type { FailedKeys } from './failed-keys.ts';
import { type Authenticate, getPrincipal, setPrincipal } from './principal.ts';

/** Runs as an `onRequest` hook, so that the body of a rejected request is not read. */
type Guard = (request: FastifyRequest) => Promise<void>;

export interface RateLimits {
  /** Counts one request of this account or address against the named limit. */
  take(name: string, owner: string): Promise<LimitVerdict>;
}

/** A surface adds these to its routes, in the order of its contract. */
export interface Guards {
  requireKey(surface: string): Guard;
  rateLimit(surface: string, name: string): Guard;
  /** For routes without a key: counts the requests of a client address. */
  rateLimitAddress(surface: string, name: string): Guard;
}

export interface GuardDeps {
  readonly keyKinds: KeyKinds;
  readonly dialects: Dialects;
  readonly authenticate: Authenticate;
  readonly limits: RateLimits;
  readonly metrics: Metrics;
}

/** RFC 6750 section 2.1; the scheme is case-insensitive (RFC 9110 section 11.1). */
const BEARER = /^bearer +([A-Za-z0-9._~+/=-]+)$/i;

/** The message for a client with an invalid key whose address is limited. */
const TOO_MANY_FAILED_KEYS = 'Too many requests with invalid API keys from this address. Retry later.';

export function createGuards(
  { dialects, keyKinds, authenticate, limits, metrics }: GuardDeps,
  failedKeys: Pick<FailedKeys, 'record'>,
): Guards {
  const deny = (surface: string, fault: ShellFault, extra: ApiErrorExtra = {}, message?: string): never => {
    metrics.count('rowpress_http_denials_total', { surface, reason: fault });
    const { errors } = dialects.get(surface);
    throw new ApiError(errors, errors.shell[fault], message, extra);
  };
  const limit = async (surface: string, name: string, owner: string) => {
    const verdict = await limits.take(name, owner);
    if (!verdict.ok) return deny(surface, 'rateLimited', { retryAfterSeconds: verdict.retryAfterSeconds });
  };
  return {
    requireKey: (surface) => async (request) => {
      const token = BEARER.exec(onlyValue(request.raw, 'authorization') ?? '')?.[1];
      if (token === undefined) return deny(surface, 'keyRequired');
      const answer = await authenticate(token, surface, request.ip);
      if (answer.ok) return setPrincipal(request, answer.principal);
      const guessed = answer.refusal === 'keyInvalid' && !isKeyOfAnother(keyKinds, surface, token);
      const retryAfterSeconds = guessed ? await failedKeys.record(surface, request.ip) : undefined;
      if (retryAfterSeconds !== undefined)
        return deny(surface, 'rateLimited', { retryAfterSeconds }, TOO_MANY_FAILED_KEYS);
      return deny(surface, answer.refusal);
    },
    rateLimit: (surface, name) => (request) => limit(surface, name, getPrincipal(request).accountId),
    rateLimitAddress: (surface, name) => (request) => limit(surface, name, addressGroup(request.ip)),
  };
}
