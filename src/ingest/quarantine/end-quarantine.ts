import { jsonResponse } from '#http/idempotency/wire-response.ts';
import type { Tx } from '#storage/database.ts';
import type { QuarantineRecord } from '#storage/ingest/quarantine.ts';
import { closeQuarantine, lockQuarantine, supersedeQuarantine } from '#storage/ingest/quarantine.ts';
import { getCollection } from '../collections/registry.ts';
import { refuse } from '../errors.ts';
import type { IngestParts } from '../parts.ts';
import { acceptItems } from '../pipeline/accept-items.ts';
import { FOREIGN_ITEM } from '../pipeline/foreign-items.ts';
import { prepareItems } from '../pipeline/prepare-items.ts';
import { idSequence } from '../public-id.ts';
import type { Write, Written } from '../requests/answer-once.ts';
import { getQuarantine, toWire } from './read-quarantine.ts';

function requireOpen(record: QuarantineRecord): void {
  if (record.status !== 'OPEN') throw refuse('state-conflict', `The record is ${record.status}, not OPEN.`);
}

/**
 * `POST /quarantine/{id}/release`: accepts the item although a business rule failed. Locks the item's row before the
 * record, as everywhere. If another request has closed the record meanwhile, that request wins.
 */
export async function releaseQuarantine(parts: IngestParts, write: Write, id: string): Promise<Written> {
  const { partnerNo, warehouseId, warehouses } = write.caller;
  const answer = await write.run(async (tx) => {
    const record = await getQuarantine(tx, write.caller, id);
    requireOpen(record);
    const now = parts.clock.now();
    const definition = getCollection(record.collection);
    const scope = { partnerNo, collection: definition.no };
    const { items, rejected } = prepareItems(
      definition,
      [{ ok: true, value: record.item }],
      idSequence(parts.ids),
    );
    if (rejected[0] !== undefined)
      throw refuse('state-conflict', `The item is no longer valid: ${rejected[0].reason}.`);
    const into = {
      ...scope,
      correlationId: write.correlationId,
      warehouseId: record.warehouse_id ?? warehouseId,
      warehouses,
      now,
    };
    const applied = (await acceptItems(tx, into, items)).get(0);
    if (applied?.foreign === true) throw refuse('cross-warehouse-credential', `${FOREIGN_ITEM}.`);
    if (applied?.accepted !== true)
      throw refuse('state-conflict', 'A newer version of the item has been accepted in the meantime.');
    await lockQuarantine(tx, scope);
    await close(tx, record, 'RELEASED', applied.internalId, now);
    await supersedeQuarantine(tx, scope, [record.source_id], now);
    return jsonResponse(200, toWire(await getQuarantine(tx, write.caller, id)));
  });
  parts.onAccepted(partnerNo);
  return answer;
}

/** `POST /quarantine/{id}/discard`. */
export function discardQuarantine(parts: IngestParts, write: Write, id: string): Promise<Written> {
  const { partnerNo } = write.caller;
  return write.run(async (tx) => {
    const record = await getQuarantine(tx, write.caller, id);
    requireOpen(record);
    await lockQuarantine(tx, { partnerNo, collection: record.collection });
    await close(tx, record, 'DISCARDED', null, parts.clock.now());
    return jsonResponse(200, toWire(await getQuarantine(tx, write.caller, id)));
  });
}

async function close(
  tx: Tx,
  record: QuarantineRecord,
  status: 'RELEASED' | 'DISCARDED',
  internalId: string | null,
  now: Date,
): Promise<void> {
  if ((await closeQuarantine(tx, [{ id: record.id, internalId }], status, now)) === 0)
    throw refuse('state-conflict', 'Another request has already closed this record.');
}
