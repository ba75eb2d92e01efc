import type { Tx } from '../../storage/database.ts';
import type { CollectionOf } from '../../storage/ingest/find-items.ts';
import {
  hasOpenQuarantine,
  lockQuarantine,
  type NewQuarantine,
  quarantineItems,
  supersedeQuarantine,
} from '../../storage/ingest/quarantine-items.ts';
import type { Counts } from '../../storage/ingest/slice-results.ts';
import type { CollectionDefinition } from '../collections/definition.ts';
import { publicId } from '../public-id.ts';
import { type Applied, acceptItems, type CopyRows } from './accept-items.ts';
import { type FailedRule, judgeItems } from './judge-items.ts';
import type { PreparedBatch } from './prepare-items.ts';

export interface BatchContext {
  readonly partnerNo: number;
  readonly definition: CollectionDefinition;
  readonly correlationId: string;
  readonly warehouseId: string | null;
  readonly now: Date;
  nextId(): string;
}

export interface ItemResult {
  readonly source_id: string | null;
  readonly status: 'ACCEPTED' | 'REPLAY' | 'QUARANTINED' | 'REJECTED';
  readonly internal_id?: string;
  readonly quarantine_id?: string;
  readonly reason?: string;
}

export interface BatchResult {
  /** In payload order; made when asked for. */
  results(): ItemResult[];
  readonly summary: Counts;
  /** Every item that was not rejected is new and has the id it was prepared with. */
  readonly allNew: boolean;
  readonly quarantined: readonly (NewQuarantine & { readonly quarantineId: string })[];
}

/**
 * The pipeline over one batch, in the caller's transaction: judge, accept, quarantine, report. Never per
 * batch: whatever is wrong with one item, the others are treated as if it were not there.
 *
 * Locks are taken in one order everywhere, items before quarantine, so batches wait for each other but never
 * in a circle.
 */
export async function applyBatch(
  tx: Tx,
  context: BatchContext,
  batch: PreparedBatch,
  copy?: CopyRows,
): Promise<BatchResult> {
  const { partnerNo, definition } = context;
  const into = { ...context, collection: definition.no };
  const { passed, failed, stale } = await judgeItems(tx, partnerNo, definition, batch.items);
  const applied = await acceptItems(tx, into, passed, copy);
  for (const { item, internalId } of stale) applied.set(item.ordinal, { accepted: false, internalId });
  const records = failed.map((failure) => toRecord(failure, context.nextId));
  const ids = await settleQuarantine(tx, into, batch, applied, failed, records);
  const quarantineOf = new Map(failed.map(({ item }, at) => [item.ordinal, ids[at] ?? '']));
  const accepted = countAccepted(applied);
  return {
    results: () => report(definition, batch, applied, failed, quarantineOf),
    summary: {
      accepted,
      replay: applied.size - accepted,
      quarantined: failed.length,
      rejected: batch.rejected.length,
    },
    allNew: isAllNew(batch, applied),
    quarantined: records.map((record, at) => ({ ...record, quarantineId: ids[at] ?? '' })),
  };
}

function countAccepted(applied: ReadonlyMap<number, Applied>): number {
  let accepted = 0;
  for (const outcome of applied.values()) if (outcome.accepted) accepted += 1;
  return accepted;
}

function isAllNew({ items }: PreparedBatch, applied: ReadonlyMap<number, Applied>): boolean {
  return items.every((item) => {
    const outcome = applied.get(item.ordinal);
    return outcome?.accepted === true && outcome.internalId === item.internalId;
  });
}

function toRecord({ item, reason, missing }: FailedRule, nextId: () => string): NewQuarantine {
  const { sourceId, version, sent } = item;
  return { id: nextId(), sourceId, version, reason, item: JSON.stringify(sent), missing };
}

/** Opens records for what failed, closes those that were overtaken; returns ids by position in `failed`. */
async function settleQuarantine(
  tx: Tx,
  into: CollectionOf & Omit<BatchContext, 'definition'>,
  batch: PreparedBatch,
  applied: ReadonlyMap<number, Applied>,
  failed: readonly FailedRule[],
  records: readonly NewQuarantine[],
): Promise<string[]> {
  const acceptedAt = new Map<string, number>();
  for (const item of batch.items)
    if (applied.get(item.ordinal)?.accepted === true) acceptedAt.set(item.sourceId, item.ordinal);
  if (failed.length === 0 && (acceptedAt.size === 0 || !(await hasOpenQuarantine(tx, into)))) return [];
  await lockQuarantine(tx, into);
  const key = (record: NewQuarantine) => `${record.version ?? ''}\t${record.sourceId}`;
  const latest = new Map(records.map((record) => [key(record), record]));
  const unique = [...latest.values()];
  const made = unique.length === 0 ? [] : await quarantineItems(tx, into, unique);
  const idOf = new Map(unique.map((record, at) => [key(record), made[at] ?? '']));
  const ids = records.map((record) => idOf.get(key(record)) ?? '');
  // What was quarantined after the item's last acceptance in this batch has not been overtaken by it.
  const newer = failed.flatMap(({ item }, at) =>
    item.ordinal > (acceptedAt.get(item.sourceId) ?? -1) ? [ids[at] ?? ''] : [],
  );
  if (acceptedAt.size > 0) await supersedeQuarantine(tx, into, [...acceptedAt.keys()], into.now, newer);
  return ids;
}

function report(
  definition: CollectionDefinition,
  batch: PreparedBatch,
  applied: ReadonlyMap<number, Applied>,
  failed: readonly FailedRule[],
  quarantineOf: ReadonlyMap<number, string>,
): ItemResult[] {
  const results = new Array<ItemResult>(batch.size);
  for (const { ordinal, sourceId, reason } of batch.rejected)
    results[ordinal] = { source_id: sourceId, status: 'REJECTED', reason };
  for (const { item, reason } of failed) {
    const id = publicId('qn', quarantineOf.get(item.ordinal) ?? '');
    results[item.ordinal] = { source_id: item.sourceId, status: 'QUARANTINED', quarantine_id: id, reason };
  }
  for (const { ordinal, sourceId } of batch.items) {
    const outcome = applied.get(ordinal);
    if (outcome === undefined) continue;
    const internal = publicId(definition.prefix, outcome.internalId);
    const status = outcome.accepted ? 'ACCEPTED' : 'REPLAY';
    results[ordinal] = { source_id: sourceId, status, internal_id: internal };
  }
  return results;
}

/** The results of a batch in which every prepared item turns out to be new. */
export function reportAsNew(definition: CollectionDefinition, batch: PreparedBatch): ItemResult[] {
  const applied = new Map(
    batch.items.map(({ ordinal, internalId }) => [ordinal, { accepted: true, internalId }]),
  );
  return report(definition, batch, applied, [], new Map());
}
