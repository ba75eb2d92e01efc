import type { FastifyReply, FastifyRequest } from 'fastify';
import { canonicalDigest } from '#engine/requests/request-identity.ts';
import { IdempotentRequests, type IdentifiedRequest } from '#http/idempotency/idempotent-requests.ts';
import { firstResponse, REPLAYED } from '#http/idempotency/policies.ts';
import { type KeyRule, unquoted } from '#http/idempotency/request-key.ts';
import { sendOnce, type WireResponse } from '#http/idempotency/wire-response.ts';
import type { Tx } from '#storage/database.ts';
import { spooledDigest } from '../import/spooled-csv.ts';
import type { SubscribersParts } from '../parts.ts';
import { no } from './refusals.ts';

/** The idempotent requests of this surface: an optional key, and replays of the first response. */
export type SubscriberRequests = IdempotentRequests<WireResponse>;

const key: KeyRule = {
  header: 'idempotency-key',
  parse: (text) => {
    const key = unquoted(text);
    return /^[\x20-\x7e]{1,255}$/.test(key) && key.trim() !== '' ? key : undefined;
  },
  malformed: () =>
    no(
      'invalid_idempotency_key',
      'Idempotency-Key must be sent once, with 1 to 255 printable ASCII characters.',
    ),
};

export function createRequests(deps: SubscribersParts): SubscriberRequests {
  return new IdempotentRequests(
    deps,
    firstResponse(deps.secrets, {
      surface: 'subscribers',
      key,
      windowSeconds: deps.settings.idempotencyWindowSeconds,
      replayHeaders: () => REPLAYED,
      conflict: () =>
        no(
          'idempotency_key_reused',
          'This Idempotency-Key was used with a different payload. Send a new key with a changed request.',
        ),
    }),
  );
}

/** Bodies as they were sent: validation fills in defaults and drops unknown members. */
const sentBodies = new WeakMap<FastifyRequest, unknown>();

/** Runs before validation on every route that accepts a key. */
export async function keepSentBody(request: FastifyRequest): Promise<void> {
  sentBodies.set(request, request.body);
}

/** Identifies a request by its key and the body as it was sent. A CSV in a temporary file counts by its digest. */
export function identify(
  requests: SubscriberRequests,
  request: FastifyRequest,
  scope: string,
): IdentifiedRequest {
  const sent = sentBodies.get(request) ?? {};
  const spooled = spooledDigest(request);
  const payload = spooled === undefined ? sent : { ...(sent as object), csv_text: spooled };
  return { ...requests.identify(request, scope), body: () => ({ digest: canonicalDigest(payload) }) };
}

/** Runs a create that completes within its request. Sends its response, or replays the first one. */
export async function answerOnce(
  requests: SubscriberRequests,
  request: FastifyRequest,
  reply: FastifyReply,
  scope: string,
  run: (tx: Tx) => Promise<WireResponse>,
  options: { readonly sealed?: boolean } = {},
): Promise<void> {
  await sendOnce(reply, await requests.run(identify(requests, request, scope), run, options));
}
