import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  IdempotentRequests,
  type IdentifiedRequest,
  type Once,
  type RequestedJob,
} from '#http/idempotency/idempotent-requests.ts';
import { REPLAYED, verbatim } from '#http/idempotency/policies.ts';
import { readRequestKey } from '#http/idempotency/request-key.ts';
import { sendOnce, type WireResponse } from '#http/idempotency/wire-response.ts';
import type { Tx } from '#storage/database.ts';
import { refuse } from '../errors.ts';
import type { IngestParts } from '../parts.ts';
import { correlationId as keyRule } from './correlation-id.ts';
import { type Caller, identifyCaller } from './partner.ts';

/** The response to a write: of this request, or replayed. */
export type Written = Once<WireResponse>;

/** One write whose correlation id is free. It takes effect by `run` or `accept`, which claim the id. */
export interface Write {
  readonly caller: Caller;
  readonly correlationId: string;
  /** The body; each chunk is hashed when it is read. */
  readonly body: AsyncIterable<Buffer>;
  /** Runs an effect; its response commits with it. `remember: false` rolls both back (a trial run). */
  run(effect: (tx: Tx) => Promise<WireResponse>, options?: { readonly remember?: boolean }): Promise<Written>;
  /** Accepts a job; its response commits with it. */
  accept(job: RequestedJob): Promise<Written>;
}

export function scopeOf(caller: Caller): string {
  return `ingest:${caller.partnerId}`;
}

/** Answers the writes of this surface. The first response with 2xx to a correlation id of a partner is replayed verbatim. */
export function createAnswerOnce(parts: IngestParts) {
  const { database, clock, engine, settings } = parts;
  const requests = new IdempotentRequests(
    {
      // Not read before the first request: the OpenAPI document is generated without a database.
      get db() {
        return database.db;
      },
      clock,
      engine,
    },
    verbatim({
      surface: 'ingest',
      key: keyRule,
      windowSeconds: settings.correlationWindowSeconds,
      replayHeaders: (differsIn) => ({
        'x-correlation-replay': 'true',
        ...REPLAYED,
        ...(differsIn.length > 0 && { 'x-correlation-warning': 'reused-with-another-request' }),
      }),
      wait: {
        ms: settings.correlationWaitMs,
        tooLong: () =>
          refuse('service-unavailable', 'The first request with this correlation id is still running.', {
            retryAfterSeconds: 1,
          }),
      },
    }),
  );
  return async function answerOnce(
    request: FastifyRequest,
    reply: FastifyReply,
    perform: (write: Write) => Promise<Written>,
  ): Promise<FastifyReply> {
    // First: a write without an id is rejected for every caller.
    const correlationId = readRequestKey(request, keyRule);
    const caller = await identifyCaller(parts, request, 'write');
    const { body, digest } = hashRequest(request);
    const identified: IdentifiedRequest = {
      ...requests.identify(request, scopeOf(caller)),
      body: async () => ({ digest: null, parts: { request: await digest() } }),
    };
    const write: Write = {
      caller,
      correlationId,
      body,
      run: (effect, options) => requests.run(identified, effect, options),
      accept: (job) => requests.accept(identified, job),
    };
    return sendOnce(reply, await requests.once(identified, () => perform(write)));
  };
}

/** Hashes method, path and body. `digest` reads the rest of the body first. */
function hashRequest(request: FastifyRequest): {
  body: AsyncIterable<Buffer>;
  digest: () => Promise<string>;
} {
  const hash = createHash('sha256').update(`${request.method} ${request.url}\n`);
  const body = readBody(request, (chunk) => hash.update(chunk));
  let digest: string | undefined;
  return {
    body,
    digest: async () => {
      for await (const _chunk of body);
      digest ??= hash.digest('hex');
      return digest;
    },
  };
}

async function* readBody(request: FastifyRequest, update: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  if (request.body === undefined || request.body === null) return;
  // Ending the loop early must not close the connection: the error response must still be sent.
  const { bodyLimit } = request.routeOptions;
  let bytes = 0;
  for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > bodyLimit) throw refuse('payload-too-large', `The body is larger than ${bodyLimit} bytes.`);
    update(chunk);
    yield chunk;
  }
}
