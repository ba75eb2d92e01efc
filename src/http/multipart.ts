import { createHash, type Hash } from 'node:crypto';
import multipart, { type FastifyMultipartBaseOptions, type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type {
  FieldRule,
  MultipartForm,
  MultipartRules,
  NamedFile,
  ReceivedPart,
  TempFile,
  TempSink,
} from './multipart-form.ts';
import { unlessStalled } from './unless-stalled.ts';

/** Far more than a form of any surface needs, and still cheap (RFC 7578). */
const MAX_PARTS = 64;
const MAX_PART_HEADER_BYTES = 8 * 1024;
const MAX_PART_HEADERS = 16;
const MAX_NAME_CHARS = 100;

/** A separate constant, because the types of the plugin lack `headerSize`, which its parser reads. */
const limits = {
  parts: MAX_PARTS,
  files: MAX_PARTS,
  fileSize: Number.POSITIVE_INFINITY, // our own caps are per field
  headerPairs: MAX_PART_HEADERS,
  headerSize: MAX_PART_HEADER_BYTES,
};

const options: FastifyMultipartBaseOptions = {
  limits,
  throwFileSizeLimit: false,
  // Every part is read as a stream: a part without a file name can be large too.
  isPartAFile: () => true,
};

/** Makes routes of this scope accept `multipart/form-data`; they read it with `readMultipart`. */
export async function acceptMultipart(app: FastifyInstance): Promise<void> {
  await app.register(multipart, options);
}

/**
 * Reads a form part by part and hashes while it reads; only short texts are held in memory. The first broken rule ends the
 * reading. After a failure no temporary file is left. The caller must `discard` the returned form.
 */
export async function readMultipart<F extends TempFile>(
  request: FastifyRequest,
  sink: TempSink<F>,
  rules: MultipartRules,
): Promise<MultipartForm<F>> {
  const parts = new Map<string, ReceivedPart<F>>();
  const discard = async () => {
    await Promise.all(
      [...parts.values()].map((part) => (part.kind === 'file' ? part.file.discard() : undefined)),
    );
  };
  try {
    for await (const part of fileParts(request, rules)) {
      const { name, rule } = ruleFor(part, parts, rules);
      parts.set(name, await receive(request, part, rule, sink, rules));
    }
    // The parser reads nothing of a form without parts (`--boundary--`).
    if (parts.size === 0 && !request.raw.readableDidRead)
      throw refuse(rules, { problem: 'malformed', detail: 'The body is empty.' });
    return { parts, discard };
  } catch (error) {
    await discard();
    throw error;
  } finally {
    // The rest of the body is read and dropped, so that the client can read the response.
    request.raw.unpipe();
    request.raw.resume();
  }
}

/** Turns parser errors, which the sender caused, into rejections before they can mix with errors of the sink. */
async function* fileParts(request: FastifyRequest, rules: MultipartRules): AsyncGenerator<MultipartFile> {
  let field = '';
  const noted = {
    isPartAFile: (name: string | undefined) => {
      field = name ?? '';
      return true;
    },
  };
  try {
    for await (const part of unlessStalled(request.parts(noted), request.raw)) {
      if (part.type !== 'file') throw new Error('bug: a part is not a stream');
      yield part;
    }
  } catch (error) {
    // The parser rejects names of Object.prototype members, but does not report the name.
    if ((error as { code?: unknown }).code === 'FST_PROTO_VIOLATION')
      throw refuse(rules, { problem: 'unknown', field });
    throw asRefusal(error, rules);
  }
}

const refusals = new WeakSet<Error>();

function refuse(rules: MultipartRules, ...reason: Parameters<MultipartRules['refuse']>): Error {
  const refusal = rules.refuse(...reason);
  refusals.add(refusal);
  return refusal;
}

function asRefusal(error: unknown, rules: MultipartRules): unknown {
  if (error instanceof Error && (refusals.has(error) || error.message.startsWith('bug: '))) return error;
  return refuse(rules, { problem: 'malformed', detail: 'The form data is incomplete or malformed.' });
}

function ruleFor(
  part: MultipartFile,
  received: ReadonlyMap<string, unknown>,
  rules: MultipartRules,
): NamedFile {
  const { fieldname: field, encoding } = part as { fieldname: string | undefined; encoding: string };
  if (field === undefined || field === '')
    throw refuse(rules, { problem: 'malformed', detail: 'A part has no name.' });
  // RFC 7578 section 4.7 removed the encodings; decoding one silently would change the digests.
  if (encoding === 'base64' || encoding === 'quoted-printable')
    throw refuse(rules, { problem: 'malformed', detail: 'Content-Transfer-Encoding is not supported.' });
  const named = rules.nameFile?.(field, part.filename) ?? byField(field, rules);
  if (named === undefined) throw refuse(rules, { problem: 'unknown', field: field.slice(0, MAX_NAME_CHARS) });
  if (received.has(named.name))
    throw refuse(rules, { problem: 'duplicate', field: named.name.slice(0, MAX_NAME_CHARS) });
  return named;
}

function byField(field: string, { fields }: MultipartRules): NamedFile | undefined {
  const rule = Object.hasOwn(fields, field) ? fields[field] : undefined;
  return rule && { name: field, rule };
}

async function receive<F extends TempFile>(
  request: FastifyRequest,
  part: MultipartFile,
  rule: FieldRule,
  sink: TempSink<F>,
  rules: MultipartRules,
): Promise<ReceivedPart<F>> {
  const field = part.fieldname;
  const count = { bytes: 0, hash: createHash('sha256') };
  const source = unlessStalled<Uint8Array>(part.file, request.raw);
  const bytes = counted(source, rule, count, () => refuse(rules, { problem: 'tooLarge', field }), rules);
  if (rule.kind === 'file') {
    const file = await sink.receive(bytes);
    const { filename, mimetype } = part;
    const sha256 = count.hash.digest('hex');
    return { kind: 'file', file, sizeBytes: count.bytes, sha256, fileName: filename, mediaType: mimetype };
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  try {
    const value = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
    return { kind: 'text', value, sha256: count.hash.digest('hex') };
  } catch {
    throw refuse(rules, { problem: 'notText', field });
  }
}

async function* counted(
  source: AsyncIterable<Uint8Array>,
  { maxBytes }: FieldRule,
  count: { bytes: number; hash: Hash },
  tooLarge: () => Error,
  rules: MultipartRules,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of source) {
      count.bytes += chunk.length;
      if (count.bytes > maxBytes) throw tooLarge();
      count.hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    throw asRefusal(error, rules);
  }
}
