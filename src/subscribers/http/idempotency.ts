import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compare, type RequestIdentity, type Taken } from '#engine/requests/request-identity.ts';
import { getPrincipal } from '#http/principal.ts';
import type { Tx } from '#storage/database.ts';
import type { StoredResponse } from '#storage/request-keys.ts';
import { findRequestKey } from '#storage/request-keys.ts';
import { SEALED_RESPONSE_TYPE } from '#storage/sealed-values.ts';
import { spooledDigest } from '../import/spooled-csv.ts';
import type { SubscribersParts } from '../parts.ts';
import { no } from './refusals.ts';

const KEY = /^[\x20-\x7e]{1,255}$/;
const JSON_TYPE = 'application/json; charset=utf-8';

export function jsonResponse(status: number, body: unknown): StoredResponse {
  return { status, type: JSON_TYPE, body: Buffer.from(JSON.stringify(body)) };
}

/** Bodies as they were sent: validation fills in defaults and drops what it does not know. */
const sentBodies = new WeakMap<FastifyRequest, unknown>();

/** Runs before validation on every route that takes a key. */
export async function keepSentBody(request: FastifyRequest): Promise<void> {
  sentBodies.set(request, request.body);
}

/** A CSV is in a temporary file; its digest represents it. */
function payloadOf(request: FastifyRequest): unknown {
  const sent = sentBodies.get(request) ?? {};
  const spooled = spooledDigest(request);
  return spooled === undefined ? sent : { ...(sent as object), csv_text: spooled };
}

/** The request's identity, or undefined without the header: then every call is a new one. */
export function identityOf(
  deps: SubscribersParts,
  request: FastifyRequest,
  scope: string,
): RequestIdentity | undefined {
  const values = request.raw.headersDistinct['idempotency-key'];
  if (values === undefined) return undefined;
  const [key] = values;
  if (values.length !== 1 || key === undefined || !KEY.test(key) || key.trim() === '')
    throw no(
      'invalid_idempotency_key',
      'Idempotency-Key must be sent once, with 1 to 255 printable ASCII characters.',
    );
  // Member order and white space do not count, the order of arrays does (RFC 8785).
  const text = canonicalize(payloadOf(request));
  if (text === undefined) throw new Error('bug: a body that was JSON cannot be written as JSON');
  return {
    scope,
    key,
    windowSeconds: deps.settings.idempotencyWindowSeconds,
    bodyDigest: createHash('sha256').update(text).digest(),
  };
}

/** Answers a request whose key is known already: the first response, or a conflict. Undefined: go ahead. */
export async function findReplay(
  deps: SubscribersParts,
  accountId: string,
  identity: RequestIdentity | undefined,
): Promise<StoredResponse | undefined> {
  if (identity === undefined) return undefined;
  const record = await findRequestKey(deps.db, accountId, identity.scope, identity.key, deps.clock.now());
  return record === undefined ? undefined : replayOf(deps, compare(record, identity));
}

export function replayOf(deps: SubscribersParts, taken: Taken): StoredResponse {
  if (taken.outcome === 'mismatch')
    throw no(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another payload; a changed request needs a new key.',
    );
  const { response_status: status, response_type: type, response_body: body } = taken.record;
  if (status === null || type === null || body === null)
    throw new Error('bug: an accepted request without its response');
  return type === SEALED_RESPONSE_TYPE
    ? { status, type: JSON_TYPE, body: Buffer.from(deps.secrets.open(body)) }
    : { status, type, body };
}

export async function sendStored(
  reply: FastifyReply,
  { status, type, body }: StoredResponse,
  replayed: boolean,
): Promise<void> {
  if (replayed) reply.header('idempotent-replayed', 'true');
  await reply.code(status).type(type).send(body);
}

/** Runs a create that is done when it is answered; with a key, its effect and its response commit together. */
export async function answerOnce(
  deps: SubscribersParts,
  request: FastifyRequest,
  reply: FastifyReply,
  scope: string,
  run: (tx: Tx) => Promise<StoredResponse>,
  options: { readonly sealed?: boolean } = {},
): Promise<void> {
  const { accountId } = getPrincipal(request);
  const identity = identityOf(deps, request, scope);
  if (identity === undefined) return sendStored(reply, await deps.db.transaction().execute(run), false);
  let sent: StoredResponse | undefined;
  const ran = await deps.engine.runOnce(accountId, identity, async (tx) => {
    sent = await run(tx);
    const response = options.sealed === true ? sealed(deps, sent) : sent;
    return { response, remember: true };
  });
  if (ran.outcome === 'ran' && sent !== undefined) return sendStored(reply, sent, false);
  if (ran.outcome === 'ran') throw new Error('bug: a request ran without a response');
  return sendStored(reply, replayOf(deps, ran), true);
}

function sealed(deps: SubscribersParts, response: StoredResponse): StoredResponse {
  return { ...response, type: SEALED_RESPONSE_TYPE, body: deps.secrets.seal(response.body.toString()) };
}
