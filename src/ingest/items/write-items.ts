import type { FastifyRequest } from 'fastify';
import { jsonResponse, type WireResponse } from '#http/idempotency/wire-response.ts';
import { metered, type Reservation } from '#lib/byte-budget.ts';
import { RecordsRefused } from '#lib/records/records-refused.ts';
import type { Tx } from '#storage/database.ts';
import { type LoadMode, listOpenLoads, lockLoads } from '#storage/ingest/loads.ts';
import { tombstoneUnseen } from '#storage/ingest/tombstone-items.ts';
import { type PayloadFormat, SLICE_LIMITS } from '../batch/payload-slice.ts';
import { readInTurns } from '../batch/read-in-turns.ts';
import { PayloadTooLarge, ReceivedPayload } from '../batch/receive-payload.ts';
import type { CollectionDefinition } from '../collections/definition.ts';
import { findCollection } from '../collections/registry.ts';
import { writeQuery } from '../contract.ts';
import { refuse } from '../errors.ts';
import { acceptLoad } from '../loads/accept-load.ts';
import type { IngestParts } from '../parts.ts';
import { toCopy } from '../pipeline/accept-items.ts';
import { applyBatch } from '../pipeline/apply-batch.ts';
import type { ItemResult } from '../pipeline/item-outcome.ts';
import { prepareInTurns } from '../pipeline/prepare-in-turns.ts';
import type { ReadItem } from '../pipeline/prepare-items.ts';
import { idSequence } from '../public-id.ts';
import type { Write, Written } from '../requests/answer-once.ts';
import { announceConflicts } from '../webhooks/announce-conflicts.ts';

interface Order {
  readonly definition: CollectionDefinition;
  readonly mode: LoadMode;
  readonly confirmEmpty: boolean;
  readonly validateOnly: boolean;
  readonly format: PayloadFormat;
}

/** A body with its items and rows takes about six times the size of the body. Small bodies are not counted. */
const IN_MEMORY = { factor: 6, free: 64 * 1024 };
/** Streaming a payload to the store holds at most two of its slices (receive-payload.ts). */
const STREAMED_BYTES = 2 * SLICE_LIMITS.maxBytes;

/** `POST /{collection}`: validates the envelope, reads the payload, and responds with results or with a job. */
export async function writeItems(
  parts: IngestParts,
  request: FastifyRequest,
  write: Write,
  collection: string,
): Promise<Written> {
  const order = readOrder(request, collection);
  const { maxUpsertBytes, maxBulkBytes } = parts.settings;
  const maxBytes = order.mode === 'upsert' ? maxUpsertBytes : maxBulkBytes;
  // A body in memory is read before it takes effect, so a check while it arrives would read it twice.
  const payload = new ReceivedPayload(order.format, maxBytes, { checks: order.mode !== 'upsert' });
  const announced = Number(request.headers['content-length'] ?? STREAMED_BYTES);
  try {
    // Rejects a body by its Content-Length without reading it.
    if (request.headers['content-length'] !== undefined && announced > maxBytes) throw new PayloadTooLarge();
    const streamed = order.mode === 'upsert' ? 0 : Math.min(announced, STREAMED_BYTES);
    return await parts.budget.run(write.caller.accountId, streamed, (held) =>
      order.mode === 'upsert'
        ? receiveInMemory(parts, order, { ...write, body: metered(write.body, held, IN_MEMORY) }, payload)
        : receiveToStore(parts, order, write, payload, held),
    );
  } catch (error) {
    if (error instanceof RecordsRefused) throw refuse('malformed-request', error.message);
    if (error instanceof PayloadTooLarge)
      throw refuse('payload-too-large', `The body is larger than ${maxBytes} bytes.`);
    throw error;
  }
}

function readOrder(request: FastifyRequest, collection: string): Order {
  const definition = findCollection(collection);
  if (definition === undefined) throw refuse('not-found', 'Collection not found.');
  const query = writeQuery.safeParse(request.query);
  if (!query.success) {
    const issue = query.error.issues[0];
    throw refuse('malformed-request', `${issue?.path.join('.')}: ${issue?.message}.`);
  }
  const { mode, confirm, validate_only } = query.data;
  const order = {
    definition,
    mode,
    confirmEmpty: confirm === 'empty',
    validateOnly: validate_only === 'true',
  };
  return { ...order, format: readFormat(request) };
}

function readFormat(request: FastifyRequest): PayloadFormat {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return 'json';
  if (type === 'application/x-ndjson' || type === 'application/ndjson') return 'ndjson';
  throw refuse('malformed-request', 'The Content-Type must be application/json or application/x-ndjson.');
}

async function receiveInMemory(
  parts: IngestParts,
  order: Order,
  write: Write,
  payload: ReceivedPayload,
): Promise<Written> {
  const chunks: Buffer[] = [];
  for await (const chunk of payload.through(write.body)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (payload.items <= parts.settings.bulkAsyncThreshold)
    return writeNow(parts, order, write, payload, bytes);
  if (order.format === 'json') await readItems(order.format, payload, bytes);
  await parts.room.require(write.caller.accountId, bytes.length);
  return writeLater(
    parts,
    order,
    write,
    payload,
    (await parts.blobs.put(write.caller.accountId, bytes)).digest,
  );
}

async function receiveToStore(
  parts: IngestParts,
  order: Order,
  write: Write,
  payload: ReceivedPayload,
  held: Reservation,
): Promise<Written> {
  await parts.room.require(write.caller.accountId);
  const { digest } = await parts.blobs.put(
    write.caller.accountId,
    payload.through(parts.room.guarded(write.body)),
  );
  if (order.mode === 'full-refresh' && payload.items === 0 && !order.confirmEmpty)
    throw refuse(
      'business-invalid',
      'An empty full-refresh deactivates every item of the collection. To confirm it, add ?confirm=empty.',
    );
  const { bulkAsyncThreshold, maxUpsertBytes } = parts.settings;
  const fits = payload.items <= bulkAsyncThreshold && payload.sizeBytes <= maxUpsertBytes;
  if (fits && (order.mode === 'full-refresh' || order.validateOnly)) {
    held.grow(payload.sizeBytes * IN_MEMORY.factor);
    return writeNow(parts, order, write, payload, await parts.blobs.readAll(digest));
  }
  return writeLater(parts, order, write, payload, digest);
}

function writeLater(
  parts: IngestParts,
  { definition, mode, format, validateOnly }: Order,
  write: Write,
  { items, slices }: ReceivedPayload,
  payload: string,
): Promise<Written> {
  if (validateOnly)
    throw refuse(
      'business-invalid',
      `validate_only accepts at most ${parts.settings.bulkAsyncThreshold} items and ${parts.settings.maxUpsertBytes} bytes.`,
    );
  return acceptLoad(parts, write, { definition, mode, format, payload, slices, items });
}

async function writeNow(
  parts: IngestParts,
  order: Order,
  write: Write,
  payload: ReceivedPayload,
  bytes: Buffer,
): Promise<Written> {
  const { definition, format, mode, validateOnly } = order;
  const { caller, correlationId } = write;
  const nextId = idSequence(parts.ids);
  const read = await readItems(format, payload, bytes);
  const batch = await prepareInTurns(definition, read, nextId);
  const copy = toCopy(parts.database, batch.items);
  const { partnerNo, warehouseId, warehouses, accountId, partnerId } = caller;
  let accepted = 0;
  const run = async (tx: Tx): Promise<WireResponse> => {
    if (mode === 'full-refresh') await claimCollection(tx, partnerNo, definition);
    const now = parts.clock.now();
    const context = { partnerNo, definition, correlationId, warehouseId, warehouses, now, nextId };
    const outcome = await applyBatch(tx, context, batch, copy);
    await announceConflicts(parts, tx, { accountId, partnerId, jobId: null }, context, outcome);
    const seen = [...batch.items, ...batch.rejected].flatMap(({ sourceId }) => sourceId ?? []);
    // Items written earlier in the same millisecond are older than the refresh.
    const acceptedAt = new Date(now.getTime() + 1);
    const refresh = { ...context, collection: definition.no, acceptedAt };
    const ended =
      mode === 'full-refresh'
        ? { tombstoned: await tombstoneUnseen(tx, refresh, { sourceIds: seen }) }
        : undefined;
    accepted = outcome.summary.accepted;
    const all = outcome.results();
    const results = validateOnly ? all.map(withoutIds) : all;
    return jsonResponse(200, {
      results,
      summary: outcome.summary,
      ...ended,
      ...(validateOnly && { validate_only: true }),
    });
  };
  const written = await write.run(run, { remember: !validateOnly });
  if (accepted > 0 && !validateOnly) parts.onAccepted(partnerNo);
  return written;
}

/** Reads all items of a payload. Throws `RecordsRefused` if it is JSON and one of them is unreadable. */
async function readItems(
  format: PayloadFormat,
  { slices }: ReceivedPayload,
  bytes: Buffer,
): Promise<ReadItem[]> {
  const read: ReadItem[] = [];
  for (const slice of slices)
    for (const item of await readInTurns(format, slice, bytes.subarray(slice.start, slice.end)))
      read.push(item);
  return read;
}

/** Removes the ids from a result of a trial run: they were rolled back with it. */
function withoutIds({ internal_id: _i, quarantine_id: _q, ...result }: ItemResult): ItemResult {
  return result;
}

/** Locks the collection for a refresh. Until it commits, no load of the collection can start. */
async function claimCollection(tx: Tx, partnerNo: number, definition: CollectionDefinition): Promise<void> {
  const scope = { partnerNo, collection: definition.no };
  await lockLoads(tx, scope);
  if ((await listOpenLoads(tx, scope)).length > 0)
    throw refuse('state-conflict', 'A bulk job of this collection is running.');
}
