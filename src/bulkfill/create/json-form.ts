import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MultipartForm, ReceivedPart } from '#http/multipart-form.ts';
import { parseJson } from '#lib/parse-json.ts';
import type { StagedBlob } from '#storage/blobs/blob-store.ts';
import { refuse } from '../errors.ts';
import type { CreateParts } from './create-parts.ts';
import { RawMemberSplitter } from './raw-member-splitter.ts';

export const MAX_JSON_CREATE_BYTES = 10_000_000;
/** All members but the rows; as JSON, they take more than as form fields. */
const MAX_REST_BYTES = 256 * 1024;

/** Lets the routes of a scope receive JSON as it arrives: `readJsonForm` reads it. */
export function streamJsonBodies(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', async () => undefined);
}

export const isJson = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');

type JsonType = 'text' | 'flag' | 'number' | 'texts' | 'object';

/** The members of a JSON create besides `rows`, which have the rules of the form fields with the same names. */
const members: Readonly<Record<string, JsonType>> = {
  project: 'text',
  rows_from: 'text',
  max_failed_row_percent: 'number',
  include_stickers: 'flag',
  flatten_forms: 'flag',
  delivery_mode: 'text',
  webhook_url: 'text',
  webhook_secret: 'text',
  filename_columns: 'texts',
  group_by: 'texts',
  dry_run: 'flag',
  output: 'text',
  sheet: 'object',
  duplex: 'flag',
  password_column: 'text',
  verify_column: 'text',
  sign_manifest: 'flag',
  csv_header: 'flag',
  match_columns: 'text',
  csv_encoding: 'text',
  cell_values: 'text',
};

/**
 * Reads a JSON create as the form with the same meaning: `rows` as `rows_json`, every other member as the field of its
 * name. The caller must `discard` the form.
 */
export async function readJsonForm(
  { blobs, room }: Pick<CreateParts, 'blobs' | 'room'>,
  request: FastifyRequest,
): Promise<MultipartForm<StagedBlob>> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_JSON_CREATE_BYTES) throw tooLarge();
  const splitter = new RawMemberSplitter('rows');
  const rows = await blobs.receive(room.guarded(rowsOf(chunksOf(request.raw), splitter)));
  try {
    const values = readMembers(splitter);
    if (!values.has('project')) throw refuse('MISSING_FIELD', 'The field project is missing.');
    if (values.has('rows') === values.has('rows_from'))
      throw refuse(
        'ROW_INPUT_CONFLICT',
        `Send exactly one of rows and rows_from; received ${values.has('rows') ? 'both' : 'none'}.`,
      );
    const parts = new Map<string, ReceivedPart<StagedBlob>>();
    const add = (name: string, value: string) =>
      parts.set(name, { kind: 'text', value, sha256: createHash('sha256').update(value).digest('hex') });
    for (const [name, value] of values) if (name !== 'rows') add(name, textOf(name, value));
    if (!parts.has('match_columns')) add('match_columns', 'label');
    if (values.has('rows'))
      parts.set('rows_json', {
        kind: 'file',
        file: rows,
        sizeBytes: rows.sizeBytes,
        sha256: rows.digest,
        fileName: undefined,
        mediaType: 'application/json',
      });
    return { parts, discard: () => rows.discard() };
  } catch (error) {
    await rows.discard();
    throw error;
  }
}

/** The members that are not null, with known names. */
function readMembers(splitter: RawMemberSplitter): ReadonlyMap<string, unknown> {
  const result = parseJson(splitter.rest());
  if (!result.ok) throw refuse('INVALID_JSON', `The body ${result.reason}.`);
  const { value } = result;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse('INVALID_JSON', `The body must be a JSON object; received ${typeName(value)}.`);
  for (const [index, name] of splitter.names.entries()) {
    if (name !== 'rows' && !Object.hasOwn(members, name))
      throw refuse('UNKNOWN_FIELD', `The field ${JSON.stringify(name.slice(0, 100))} is unknown.`);
    if (splitter.names.indexOf(name) !== index)
      throw refuse('DUPLICATE_FIELD', `The field ${name} was sent more than once.`);
  }
  const { rows } = value as { rows?: unknown };
  if (rows !== undefined && rows !== null && !Array.isArray(rows))
    throw refuse('INVALID_ROWS_JSON', `rows must be an array of objects; received ${typeName(rows)}.`);
  return new Map(Object.entries(value).filter(([, member]) => member !== null));
}

/** The text that the form field of this name has for the value. */
function textOf(name: string, value: unknown): string {
  const type = members[name];
  if (type === 'flag' && typeof value === 'boolean') return String(value);
  if (type === 'number' && typeof value === 'number') return String(value);
  if (type === 'text' && typeof value === 'string') return value;
  if (type === 'texts' || type === 'object') return JSON.stringify(value);
  const expected = {
    flag: 'true or false',
    number: 'a number',
    text: 'text',
    texts: 'an array',
    object: 'an object',
  }[type ?? 'text'];
  throw refuse('INVALID_FIELD', `${name} must be ${expected}; received ${typeName(value)}.`);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return { string: 'text', object: 'an object' }[typeof value as string] ?? `a ${typeof value}`;
}

async function* rowsOf(
  payload: AsyncIterable<Uint8Array>,
  splitter: RawMemberSplitter,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of payload) {
    bytes += chunk.length;
    const rows = splitter.push(chunk);
    if (bytes > MAX_JSON_CREATE_BYTES) throw tooLarge();
    if (splitter.restBytes > MAX_REST_BYTES)
      throw refuse('INVALID_FIELD', `The members besides rows have more than ${MAX_REST_BYTES} bytes.`);
    yield* rows;
  }
}

/** Ending early must not close the connection: the error response must still be sent. */
async function* chunksOf(payload: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } catch {
    throw refuse('INVALID_JSON', 'The body is incomplete.');
  } finally {
    // The rest of the body is read and dropped, so that the client can read the response.
    payload.resume();
  }
}

const tooLarge = () =>
  refuse(
    'ROWS_TOO_LARGE',
    `The JSON body is larger than ${MAX_JSON_CREATE_BYTES} bytes. Send the rows as a file.`,
  );
