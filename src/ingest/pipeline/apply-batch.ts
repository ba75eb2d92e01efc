import type { Tx } from '#storage/database.ts';
import type { CollectionOf } from '#storage/ingest/items.ts';
import type { Counts } from '#storage/ingest/loads.ts';
import {
  hasOpenQuarantine,
  lockQuarantine,
  type NewQuarantine,
  quarantineItems,
  supersedeQuarantine,
} from '#storage/ingest/quarantine.ts';
import type { CollectionDefinition } from '../collections/definition.ts';
import { acceptItems, type CopyBatch } from './accept-items.ts';
import type { AppliedItems } from './applied-items.ts';
import { FOREIGN_QUARANTINE, rejectForeign, splitForeign, type WarehouseLimit } from './foreign-items.ts';
import { type ItemOutcome, type ItemResult, toResult } from './item-outcome.ts';
import { type FailedRule, judgeItems } from './judge-items.ts';
import type { PreparedBatch, RejectedItem } from './prepare-items.ts';

export interface BatchContext {
  readonly partnerNo: number;
  readonly definition: CollectionDefinition;
  readonly correlationId: string;
  readonly warehouseId: string | null;
  /** Warehouses whose items the credential may change; null: all items of the partner. */
  readonly warehouses: WarehouseLimit;
  readonly now: Date;
  nextId(): string;
}

export interface BatchResult {
  /** In payload order; computed when read, in the stored and in the public form. */
  outcomes(): ItemOutcome[];
  results(): ItemResult[];
  readonly summary: Counts;
  /** Every item that was not rejected is new and has the id it was prepared with. */
  readonly allNew: boolean;
  readonly quarantined: readonly (NewQuarantine & { readonly quarantineId: string })[];
}

/**
 * Runs the pipeline over one batch in the caller's transaction: judge, accept, quarantine, report. An invalid item does
 * not affect the others. Locks are taken in one order everywhere, items before quarantine, so that batches wait for
 * each other without a deadlock.
 */
export async function applyBatch(
  tx: Tx,
  context: BatchContext,
  batch: PreparedBatch,
  copy?: CopyBatch,
): Promise<BatchResult> {
  const { partnerNo, definition } = context;
  const into = { ...context, collection: definition.no };
  const { own, foreign } = await splitForeign(tx, into, context.warehouses, batch.items);
  const { passed, failed, stale } = await judgeItems(tx, partnerNo, definition, own);
  const applied = await acceptItems(tx, into, passed, copy);
  const replayed = new Map(stale.map(({ item, internalId }) => [item.ordinal, internalId]));
  const records = failed.map((failure) => toRecord(failure, context.nextId));
  const ids = await settleQuarantine(tx, into, batch, applied, failed, records);
  const refused = [
    ...foreign.map((item) => rejectForeign(item)),
    ...passed
      .filter(({ ordinal }) => !applied.allNew && applied.get(ordinal)?.foreign)
      .map((item) => rejectForeign(item)),
    ...failed
      .filter((_, at) => ids[at] === undefined)
      .map(({ item }) => rejectForeign(item, FOREIGN_QUARANTINE)),
  ];
  const accepted = applied.countAccepted();
  const rejected = batch.rejected.length + refused.length;
  const quarantined = records.flatMap((record, at) => {
    const quarantineId = ids[at];
    return quarantineId === undefined ? [] : [{ ...record, quarantineId }];
  });
  const outcomes = () => report(batch, applied, replayed, failed, ids, refused);
  return {
    outcomes,
    results: () => outcomes().map((outcome) => toResult(definition, outcome)),
    summary: {
      accepted,
      replay: batch.size - accepted - quarantined.length - rejected,
      quarantined: quarantined.length,
      rejected,
    },
    allNew: applied.allNew && passed.length === batch.items.length,
    quarantined,
  };
}

function toRecord({ item, reason, missing }: FailedRule, nextId: () => string): NewQuarantine {
  const { sourceId, version, sent } = item;
  return { id: nextId(), sourceId, version, reason, item: JSON.stringify(sent), missing };
}

/** Opens records for failed items and closes superseded ones. Returns ids by position in `failed`. */
async function settleQuarantine(
  tx: Tx,
  into: CollectionOf & Omit<BatchContext, 'definition'>,
  batch: PreparedBatch,
  applied: AppliedItems,
  failed: readonly FailedRule[],
  records: readonly NewQuarantine[],
): Promise<(string | undefined)[]> {
  if (failed.length === 0 && !(await hasOpenQuarantine(tx, into))) return [];
  const acceptedAt = new Map<string, number>();
  for (const item of batch.items)
    if (applied.get(item.ordinal)?.accepted === true) acceptedAt.set(item.sourceId, item.ordinal);
  if (failed.length === 0 && acceptedAt.size === 0) return [];
  await lockQuarantine(tx, into);
  const key = (record: NewQuarantine) => `${record.version ?? ''}\t${record.sourceId}`;
  const latest = new Map(records.map((record) => [key(record), record]));
  const unique = [...latest.values()];
  const made = unique.length === 0 ? [] : await quarantineItems(tx, into, unique);
  const idOf = new Map(unique.map((record, at) => [key(record), made[at]]));
  const ids = records.map((record) => idOf.get(key(record)));
  // A record quarantined after the item's last acceptance in this batch is not superseded by it.
  const newer = failed.flatMap(({ item }, at) =>
    item.ordinal > (acceptedAt.get(item.sourceId) ?? -1) ? (ids[at] ?? []) : [],
  );
  if (acceptedAt.size > 0) await supersedeQuarantine(tx, into, [...acceptedAt.keys()], into.now, newer);
  return ids;
}

function report(
  batch: PreparedBatch,
  applied: AppliedItems,
  replayed: ReadonlyMap<number, string>,
  failed: readonly FailedRule[],
  quarantineIds: readonly (string | undefined)[],
  refused: readonly RejectedItem[],
): ItemOutcome[] {
  const outcomes = new Array<ItemOutcome>(batch.size);
  for (const { ordinal, sourceId, reason } of batch.rejected)
    outcomes[ordinal] = { sourceId, status: 'REJECTED', reason };
  for (const [at, { item, reason }] of failed.entries()) {
    const id = quarantineIds[at];
    if (id !== undefined)
      outcomes[item.ordinal] = { sourceId: item.sourceId, status: 'QUARANTINED', id, reason };
  }
  for (const { ordinal, sourceId } of batch.items) {
    const outcome = applied.get(ordinal);
    const id = outcome?.internalId ?? replayed.get(ordinal);
    if (id !== undefined)
      outcomes[ordinal] = { sourceId, status: outcome?.accepted === true ? 'ACCEPTED' : 'REPLAY', id };
  }
  for (const { ordinal, sourceId, reason } of refused)
    outcomes[ordinal] = { sourceId, status: 'REJECTED', reason };
  return outcomes;
}
