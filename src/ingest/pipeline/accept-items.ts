import type { Database, Tx } from '#storage/database.ts';
import { copyNewItems } from '#storage/ingest/copy-items.ts';
import { findStandings } from '#storage/ingest/items.ts';
import {
  appendChanges,
  type FurtherChange,
  type MergeInto,
  mergeItems,
  type Stage,
  stageAsArrays,
  stageByCopy,
} from '#storage/ingest/write-items.ts';
import { type Applied, AppliedItems } from './applied-items.ts';
import { isForeign } from './foreign-items.ts';
import { isStale } from './judge-items.ts';
import { areDistinct, inKeyOrder } from './key-order.ts';
import type { PreparedItem } from './prepare-items.ts';

/** A batch that is written with COPY. */
export interface CopyBatch {
  readonly database: Database;
  /** All items of the batch in key order, and whether each key is unique. */
  readonly ordered: readonly PreparedItem[];
  readonly distinct: boolean;
}

/** With fewer items, the additional statements cost more than a COPY saves. */
const MIN_COPIED = 200;
/** With fewer items, a staging table costs more than parameters. */
const MIN_STAGED_BY_COPY = 2_000;

/** Orders the items of a request for a COPY. Returns undefined if there are so few that a merge is faster. */
export function toCopy(database: Database, items: readonly PreparedItem[]): CopyBatch | undefined {
  if (items.length < MIN_COPIED) return undefined;
  const ordered = inKeyOrder(items);
  return { database, ordered, distinct: areDistinct(ordered) };
}

/**
 * Writes items that passed the rules; the version guard decides between accepted and replay. One statement writes the
 * first occurrence of every key in key order, which also locks all of them. Further occurrences are then decided here
 * in their order; no other writer can overtake them.
 */
export async function acceptItems(
  tx: Tx,
  into: MergeInto,
  items: readonly PreparedItem[],
  copy?: CopyBatch,
): Promise<AppliedItems> {
  if (items.length === 0) return new AppliedItems(items);
  const { first, further } = copy?.distinct === true ? { first: items, further: [] } : splitRepeats(items);
  const ordered = copy && onlyThese(copy.ordered, first);
  if (copy !== undefined && ordered !== undefined && (await copyNewItems(copy.database, tx, into, ordered))) {
    if (further.length === 0) return new AppliedItems(items);
    const fresh = first.map(({ ordinal, internalId }) => [ordinal, { accepted: true, internalId }] as const);
    return applyFurther(tx, into, items, further, new Map(fresh));
  }
  const stage =
    copy !== undefined && ordered !== undefined && ordered.length >= MIN_STAGED_BY_COPY
      ? await stageByCopy(copy.database, tx, ordered)
      : stageAsArrays(first);
  const applied = await mergeFirst(tx, into, first, stage);
  return further.length === 0
    ? new AppliedItems(items, applied)
    : applyFurther(tx, into, items, further, applied);
}

function splitRepeats(items: readonly PreparedItem[]): { first: PreparedItem[]; further: PreparedItem[] } {
  const seen = new Set<string>();
  const first: PreparedItem[] = [];
  const further: PreparedItem[] = [];
  for (const item of items) {
    (seen.has(item.sourceId) ? further : first).push(item);
    seen.add(item.sourceId);
  }
  return { first, further };
}

function onlyThese(all: readonly PreparedItem[], wanted: readonly PreparedItem[]): readonly PreparedItem[] {
  if (all.length === wanted.length) return all;
  const keep = new Set(wanted);
  return all.filter((item) => keep.has(item));
}

async function mergeFirst(
  tx: Tx,
  into: MergeInto,
  items: readonly PreparedItem[],
  stage: Stage,
): Promise<Map<number, Applied>> {
  const applied = new Map<number, Applied>();
  const { inserted, updated } = await mergeItems(tx, stage, into);
  const known = new Map(updated.map((row) => [row.source_id, row.internal_id]));
  const rest = items.filter((item) => !known.has(item.sourceId));
  for (const item of items) {
    const internalId = known.get(item.sourceId);
    if (internalId !== undefined) applied.set(item.ordinal, { accepted: true, internalId });
  }
  if (inserted === rest.length) {
    for (const { ordinal, internalId } of rest) applied.set(ordinal, { accepted: true, internalId });
    return applied;
  }
  // Some were neither inserted nor updated. A row with the id that we staged was inserted by us.
  const ids = rest.map((item) => item.sourceId);
  const standings = new Map((await findStandings(tx, into, ids)).map((row) => [row.source_id, row]));
  for (const item of rest) {
    const standing = standings.get(item.sourceId);
    if (standing === undefined) throw new Error('bug: a merged item is missing');
    const internalId = standing.internal_id;
    const accepted = internalId === item.internalId;
    const foreign = !accepted && isForeign(into.warehouses, standing) && !isStale(item.version, standing);
    applied.set(item.ordinal, { accepted, internalId, foreign });
  }
  return applied;
}

async function applyFurther(
  tx: Tx,
  into: MergeInto,
  items: readonly PreparedItem[],
  further: readonly PreparedItem[],
  applied: Map<number, Applied>,
): Promise<AppliedItems> {
  const ids = [...new Set(further.map((item) => item.sourceId))];
  const standings = new Map((await findStandings(tx, into, ids)).map((row) => [row.source_id, { ...row }]));
  const changes: { -readonly [K in keyof FurtherChange]: FurtherChange[K] }[] = [];
  const latest = new Map<string, (typeof changes)[number]>();
  for (const item of further) {
    const standing = standings.get(item.sourceId);
    if (standing === undefined) throw new Error('bug: a merged item is missing');
    const internalId = standing.internal_id;
    const fresh = !isStale(item.version, standing);
    const foreign = fresh && isForeign(into.warehouses, standing);
    const accepted = fresh && !foreign;
    applied.set(item.ordinal, { accepted, internalId, foreign });
    if (!accepted) continue;
    standing.source_version = item.version ?? standing.source_version;
    standing.active = true;
    standing.change += 1;
    const { sourceId, graph } = item;
    const change = {
      sourceId,
      version: standing.source_version,
      change: standing.change,
      item: item.item,
      graph,
      last: true,
    };
    const before = latest.get(sourceId);
    if (before !== undefined) before.last = false;
    latest.set(sourceId, change);
    changes.push(change);
  }
  if (changes.length > 0) await appendChanges(tx, into, changes);
  return new AppliedItems(items, applied);
}
