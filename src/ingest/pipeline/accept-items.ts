import type { Database, Tx } from '../../storage/database.ts';
import { appendChanges, type FurtherChange } from '../../storage/ingest/append-changes.ts';
import { findStandings } from '../../storage/ingest/find-items.ts';
import { type MergeInto, mergeItems } from '../../storage/ingest/merge-items.ts';
import { stageAsArrays, stageByCopy } from '../../storage/ingest/stage-items.ts';
import { isStale } from './judge-items.ts';
import type { PreparedItem } from './prepare-items.ts';

/** What became of one item that passed every rule. */
export interface Applied {
  readonly accepted: boolean;
  readonly internalId: string;
}

/** All items of the batch, encoded for COPY before it was known which of them pass. */
export interface CopyRows {
  readonly database: Database;
  readonly rows: Buffer;
  readonly items: readonly PreparedItem[];
  /** Called when the rows are over and the database works alone. */
  readonly onStaged?: () => void;
}

/**
 * Writes items that passed; the version guard decides between accepted and replay. The first occurrence of
 * every key goes in one statement, in key order, which also locks all of them. Further occurrences are then
 * decided here, where their order is known, and cannot be overtaken.
 */
export async function acceptItems(
  tx: Tx,
  into: Omit<MergeInto, 'except'>,
  items: readonly PreparedItem[],
  copy?: CopyRows,
): Promise<Map<number, Applied>> {
  const applied = new Map<number, Applied>();
  if (items.length === 0) return applied;
  const first = new Map<string, PreparedItem>();
  const further: PreparedItem[] = [];
  for (const item of items) {
    if (first.has(item.sourceId)) further.push(item);
    else first.set(item.sourceId, item);
  }
  await mergeFirst(tx, into, [...first.values()], copy, applied);
  if (further.length > 0) await applyFurther(tx, into, further, applied);
  return applied;
}

async function mergeFirst(
  tx: Tx,
  into: Omit<MergeInto, 'except'>,
  items: readonly PreparedItem[],
  copy: CopyRows | undefined,
  applied: Map<number, Applied>,
): Promise<void> {
  const stage = copy === undefined ? stageAsArrays(items) : await stageByCopy(copy.database, tx, copy.rows);
  copy?.onStaged?.();
  const except = copy === undefined ? [] : unwanted(copy.items, items);
  const { inserted, updated } = await mergeItems(tx, stage, { ...into, except });
  const known = new Map(updated.map((row) => [row.source_id, row.internal_id]));
  const rest = items.filter((item) => !known.has(item.sourceId));
  for (const item of items) {
    const internalId = known.get(item.sourceId);
    if (internalId !== undefined) applied.set(item.ordinal, { accepted: true, internalId });
  }
  if (inserted === rest.length) {
    for (const { ordinal, internalId } of rest) applied.set(ordinal, { accepted: true, internalId });
    return;
  }
  // Some were neither inserted nor updated. A row that carries the id we staged is one that we inserted.
  const ids = rest.map((item) => item.sourceId);
  const standings = new Map((await findStandings(tx, into, ids)).map((row) => [row.source_id, row]));
  for (const item of rest) {
    const internalId = standings.get(item.sourceId)?.internal_id;
    if (internalId === undefined) throw new Error('bug: a merged item is not there');
    applied.set(item.ordinal, { accepted: internalId === item.internalId, internalId });
  }
}

function unwanted(staged: readonly PreparedItem[], wanted: readonly PreparedItem[]): number[] {
  if (staged.length === wanted.length) return [];
  const keep = new Set(wanted.map((item) => item.ordinal));
  return staged.map((item) => item.ordinal).filter((ordinal) => !keep.has(ordinal));
}

async function applyFurther(
  tx: Tx,
  into: Omit<MergeInto, 'except'>,
  items: readonly PreparedItem[],
  applied: Map<number, Applied>,
): Promise<void> {
  const ids = [...new Set(items.map((item) => item.sourceId))];
  const standings = new Map((await findStandings(tx, into, ids)).map((row) => [row.source_id, { ...row }]));
  const changes: { -readonly [K in keyof FurtherChange]: FurtherChange[K] }[] = [];
  const latest = new Map<string, (typeof changes)[number]>();
  for (const item of items) {
    const standing = standings.get(item.sourceId);
    if (standing === undefined) throw new Error('bug: a merged item is not there');
    const internalId = standing.internal_id;
    const accepted = !isStale(item.version, standing);
    applied.set(item.ordinal, { accepted, internalId });
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
}
