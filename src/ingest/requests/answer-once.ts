import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RanOnce } from '#engine/requests/run-once.ts';
import type { Tx } from '#storage/database.ts';
import type { StoredResponse } from '#storage/request-keys.ts';
import { findRequestKey, type RequestKeyRecord } from '#storage/request-keys.ts';
import { refuse } from '../errors.ts';
import type { IngestParts } from '../parts.ts';
import { requireCorrelationId } from './correlation-id.ts';
import { type Caller, identifyCaller } from './partner.ts';
import { SingleFlight, TooLong } from './single-flight.ts';

const WARNING = 'reused-with-another-request';

/** One write, seen for the first time. */
export interface Write {
  readonly caller: Caller;
  readonly correlationId: string;
  /** Grows with the body; asked for when the body has been read. */
  readonly digest: () => string;
  /** The body, hashed on its way. */
  readonly body: AsyncIterable<Buffer>;
}

export type Answer = StoredResponse & { readonly headers?: Readonly<Record<string, string>> };

/**
 * Request-level idempotency: the first answer with 2xx to a `(partner, correlation id)` is kept and sent
 * again, byte for byte, whatever the later request holds. It is looked for before anything else is judged.
 */
export function createAnswerOnce(parts: IngestParts) {
  const flights = new SingleFlight();
  return async function answerOnce(
    request: FastifyRequest,
    reply: FastifyReply,
    perform: (write: Write) => Promise<Answer | RequestKeyRecord>,
  ): Promise<FastifyReply> {
    const correlationId = requireCorrelationId(request.raw);
    const caller = await identifyCaller(parts, request, 'write');
    const hash = createHash('sha256').update(`${request.method} ${request.url}\n`);
    const digest = memoize(() => hash.digest('hex'));
    const body = hashed(request, (chunk) => hash.update(chunk));
    const flight = `${caller.partnerNo} ${correlationId}`;
    const deadline = performance.now() + parts.settings.correlationWaitMs;
    const replay = async (record: RequestKeyRecord) => {
      for await (const _chunk of body) {
        // Read to its end: the digest tells whether this is the request that was answered.
      }
      return sendStored(reply, record, digest());
    };
    try {
      for (;;) {
        const now = parts.clock.now();
        const stored = await findRequestKey(
          parts.database.db,
          caller.accountId,
          scopeOf(caller),
          correlationId,
          now,
        );
        if (stored?.response_status != null) return await replay(stored);
        if (await flights.waitFor(flight, deadline - performance.now())) continue;
        const answer = await flights.run(flight, () => perform({ caller, correlationId, digest, body }));
        return 'key' in answer ? await replay(answer) : send(reply, answer);
      }
    } catch (error) {
      if (!(error instanceof TooLong)) throw error;
      throw refuse('service-unavailable', 'The first request with this correlation id is still running.', {
        retryAfterSeconds: 1,
      });
    }
  };
}

export type AnswerOnce = ReturnType<typeof createAnswerOnce>;

export function scopeOf(caller: Caller): string {
  return `ingest:${caller.partnerId}`;
}

export function identityOf(parts: IngestParts, { caller, correlationId, digest }: Write) {
  return {
    scope: scopeOf(caller),
    key: correlationId,
    windowSeconds: parts.settings.correlationWindowSeconds,
    bodyDigest: null,
    bodyParts: { request: digest() },
  };
}

/** Effect and answer in one transaction. `remember: false` undoes both (a trial run). */
export async function runOnce(
  parts: IngestParts,
  write: Write,
  run: (tx: Tx) => Promise<Answer>,
  remember = true,
): Promise<Answer | RequestKeyRecord> {
  return withinWait(parts.settings.correlationWaitMs, async (started) => {
    const ran: RanOnce = await parts.engine.runOnce(
      write.caller.accountId,
      identityOf(parts, write),
      async (tx) => {
        started();
        return { response: await run(tx), remember };
      },
    );
    return ran.outcome === 'ran' ? ran.response : ran.record;
  });
}

/**
 * Another node may be working on the same correlation id; its claim then blocks ours. After `waitMs` the
 * caller is sent away, and our attempt, should it still get its turn, ends without effect.
 */
export async function withinWait<T>(
  waitMs: number,
  attempt: (started: () => void) => Promise<T>,
): Promise<T> {
  let state: 'waiting' | 'started' | 'left' = 'waiting';
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      if (state !== 'waiting') return;
      state = 'left';
      reject(new TooLong());
    }, waitMs);
  });
  const running = attempt(() => {
    if (state === 'left') throw new TooLong();
    state = 'started';
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
    running.catch(() => {}); // Left behind on purpose; it rolls back.
  }
}

function send(reply: FastifyReply, { status, type, body, headers }: Answer): FastifyReply {
  return reply
    .status(status)
    .headers(headers ?? {})
    .type(type)
    .send(body);
}

function sendStored(reply: FastifyReply, record: RequestKeyRecord, digest: string): FastifyReply {
  const { response_status: status, response_type: type, response_body: body } = record;
  if (status === null || type === null || body === null)
    throw new Error('bug: a correlation id without its response');
  const first = (record.body_parts as { request?: string } | null)?.request;
  reply.header('x-correlation-replay', 'true');
  if (first !== undefined && first !== digest) reply.header('x-correlation-warning', WARNING);
  return reply.status(status).type(type).send(body);
}

async function* hashed(request: FastifyRequest, update: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  if (request.body === undefined || request.body === null) return;
  // Leaving early must not cut the connection: the refusal still has to get out.
  const { bodyLimit } = request.routeOptions;
  let bytes = 0;
  for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > bodyLimit) throw refuse('payload-too-large', `The body is larger than ${bodyLimit} bytes.`);
    update(chunk);
    yield chunk;
  }
}

function memoize<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export function jsonAnswer(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    type: 'application/json; charset=utf-8',
    body: Buffer.from(JSON.stringify(value)),
    headers,
  };
}
