import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { MAX_JSON_BYTES } from '#http/http-settings.ts';
import { getPrincipal } from '#http/principal.ts';
import { whenClosed } from '#http/when-closed.ts';
import { parseJson } from '#lib/parse-json.ts';
import type { StagedBlob } from '#storage/blobs/blob-store.ts';
import { no } from '../http/refusals.ts';
import type { SubscribersParts } from '../parts.ts';
import { TextMemberSplitter, UnreadableBody } from './text-member-splitter.ts';

/** The placeholder of the CSV in the body, in the four forms of any JSON body (http/held-body.ts). */
const REST_FACTOR = 4;

const spooled = new WeakMap<FastifyRequest, StagedBlob>();

/** The CSV of a request in a temporary file. Its consumer must discard it. */
export function takeSpooledCsv(request: FastifyRequest): StagedBlob | undefined {
  const staged = spooled.get(request);
  spooled.delete(request);
  return staged;
}

/** SHA-256 of the text, which identifies equal CSVs in two requests. */
export function spooledDigest(request: FastifyRequest): string | undefined {
  return spooled.get(request)?.digest;
}

/** Lets the routes of a scope accept JSON with a large `csv_text`. */
export function readImportBodies(scope: FastifyInstance, deps: SubscribersParts): void {
  const replies = new WeakMap<FastifyRequest, FastifyReply>();
  scope.addHook('preParsing', async (request, reply) => void replies.set(request, reply));
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const reply = replies.get(request);
      if (reply === undefined) throw new Error('bug: a body is read before its preParsing hook');
      return readImportBody(deps, request, reply, payload).catch((error: unknown) => {
        // Reads and discards the rest of the body, so that the client receives the response.
        payload.resume();
        throw error;
      });
    },
  );
}

/**
 * Reads a JSON body whose `csv_text` may be 50 MB. The CSV is written to a temporary file and is never completely in
 * memory.
 */
async function readImportBody(
  { blobs, budget, room }: Pick<SubscribersParts, 'blobs' | 'budget' | 'room'>,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: IncomingMessage,
): Promise<unknown> {
  const limit = request.routeOptions.bodyLimit;
  if (Number(request.headers['content-length'] ?? 0) > limit)
    throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  const splitter = new TextMemberSplitter('csv_text');
  const staged = await blobs
    .receive(room.guarded(csvOf(chunksOf(payload), splitter, limit)))
    .catch((error) => {
      if (error instanceof UnreadableBody) throw no('invalid_json', `The body ${error.message}.`);
      throw error;
    });
  spooled.set(request, staged);
  // Discards the file if the request is rejected or aborted before its handler takes it.
  whenClosed(reply, () => void takeSpooledCsv(request)?.discard());
  const rest = Buffer.from(splitter.rest);
  const held = budget.reserve(getPrincipal(request).accountId, rest.length * REST_FACTOR);
  whenClosed(reply, held.release);
  if (!splitter.hasText) await takeSpooledCsv(request)?.discard();
  if (rest.length === 0) return undefined;
  const result = parseJson(rest);
  if (!result.ok) throw no('invalid_json', `The body ${result.reason}.`);
  return result.value;
}

async function* csvOf(
  payload: AsyncIterable<Buffer>,
  splitter: TextMemberSplitter,
  limit: number,
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Buffer) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new UnreadableBody('is not UTF-8');
    }
  };
  let bytes = 0;
  for await (const chunk of payload) {
    bytes += chunk.length;
    const text = splitter.push(decode(chunk));
    if (bytes > limit || splitter.rest.length > MAX_JSON_BYTES)
      throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
    if (text !== '') yield Buffer.from(text);
  }
  splitter.push(decode());
  splitter.end();
}

/** Ending early must not close the connection: the error response must still be sent. */
async function* chunksOf(payload: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch {
    throw new UnreadableBody('ends early');
  }
}

/** Large enough to be fast, small enough not to delay other requests. */
const PIECE_BYTES = 262_144;

/** Reads a spooled CSV in pieces. The file is opened when the first piece is read, so that an error always has a consumer. */
export async function* spooledBytes({ path }: Pick<StagedBlob, 'path'>): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: PIECE_BYTES });
}
