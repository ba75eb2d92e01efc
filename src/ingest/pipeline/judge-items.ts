import type { Tx } from '#storage/database.ts';
import { findReferenced, findStandings, type ItemStanding } from '#storage/ingest/items.ts';
import { loadGraph } from '#storage/ingest/loads.ts';
import type { CollectionDefinition, Reference } from '../collections/definition.ts';
import { getCollection } from '../collections/registry.ts';
import { Circles } from './circles.ts';
import type { PreparedItem } from './prepare-items.ts';

export interface FailedRule {
  readonly item: PreparedItem;
  readonly reason: string;
  /** Missing references; empty if another rule failed. */
  readonly missing: readonly { readonly collection: number; readonly sourceId: string }[];
}

export interface Judged {
  readonly passed: readonly PreparedItem[];
  readonly failed: readonly FailedRule[];
  /** Replays: they failed a rule, but an equal or newer version is stored. */
  readonly stale: readonly { readonly item: PreparedItem; readonly internalId: string }[];
}

/**
 * Applies the business rules: references exist, are active, have the right kind and close no cycle. Items are judged in
 * payload order, so that an item may refer to an earlier one of its batch but not to a later one.
 */
export async function judgeItems(
  tx: Tx,
  partnerNo: number,
  definition: CollectionDefinition,
  items: readonly PreparedItem[],
): Promise<Judged> {
  const known = await loadKnown(tx, partnerNo, items);
  const own = known.get(definition.path);
  const scope = { partnerNo, collection: definition.no };
  const starts = definition.graph && [...new Set(items.flatMap((item) => item.graph?.edges ?? []))];
  const circles = new Circles(starts === undefined ? [] : await loadGraph(tx, scope, starts));
  const passed: PreparedItem[] = [];
  const failed: FailedRule[] = [];
  for (const item of items) {
    const failure = judge(item, known, circles);
    if (failure === undefined) {
      passed.push(item);
      own?.set(item.sourceId, item.kind);
      circles.accept(item);
    } else failed.push({ item, ...failure });
  }
  return failed.length === 0 ? { passed, failed, stale: [] } : withoutStale(tx, scope, passed, failed);
}

type Known = Map<string, Map<string, string | null>>;

async function loadKnown(tx: Tx, partnerNo: number, items: readonly PreparedItem[]): Promise<Known> {
  const wanted = new Map<string, Set<string>>();
  for (const { references } of items) {
    for (const { collection, sourceId } of references) {
      const ids = wanted.get(collection) ?? new Set();
      wanted.set(collection, ids.add(sourceId));
    }
  }
  const known: Known = new Map();
  for (const [path, ids] of wanted) {
    const rows = await findReferenced(tx, { partnerNo, collection: getCollection(path).no }, [...ids]);
    known.set(path, new Map(rows.map((row) => [row.source_id, row.kind])));
  }
  return known;
}

function judge(
  item: PreparedItem,
  known: Known,
  circles: Circles,
): Pick<FailedRule, 'reason' | 'missing'> | undefined {
  const absent = item.references.filter(
    (reference) => !known.get(reference.collection)?.has(reference.sourceId),
  );
  const [first] = absent;
  if (first !== undefined) {
    const missing = absent.map((r) => ({ collection: getCollection(r.collection).no, sourceId: r.sourceId }));
    const more = absent.length > 1 ? ` (and ${absent.length - 1} more)` : '';
    return {
      reason: `${first.field}: no active item "${first.sourceId}" in ${first.collection}${more}`,
      missing,
    };
  }
  const unfit = item.references.find((reference) => !fits(reference, known));
  if (unfit !== undefined)
    return {
      reason: `${unfit.field}: "${unfit.sourceId}" is not a ${unfit.kinds?.join(' or ')}`,
      missing: [],
    };
  if (circles.wouldClose(item))
    return { reason: 'the item would contain itself through other items', missing: [] };
  return undefined;
}

function fits(reference: Reference, known: Known): boolean {
  const kind = known.get(reference.collection)?.get(reference.sourceId);
  return reference.kinds === undefined || reference.kinds.includes(kind ?? '');
}

/** The version guard; the merge applies the same rule in SQL. */
export function isStale(
  version: number | null,
  standing: Pick<ItemStanding, 'source_version' | 'active'> | undefined,
): boolean {
  if (version === null || standing === undefined || standing.source_version === null) return false;
  return version < standing.source_version || (version === standing.source_version && standing.active);
}

/** An accepted version is a replay, even if a rule would reject it today. */
async function withoutStale(
  tx: Tx,
  scope: { readonly partnerNo: number; readonly collection: number },
  passed: readonly PreparedItem[],
  all: readonly FailedRule[],
): Promise<Judged> {
  const ids = [...new Set(all.map(({ item }) => item.sourceId))];
  const standings = new Map((await findStandings(tx, scope, ids)).map((row) => [row.source_id, row]));
  const failed: FailedRule[] = [];
  const stale: { item: PreparedItem; internalId: string }[] = [];
  for (const failure of all) {
    const standing = standings.get(failure.item.sourceId);
    if (standing !== undefined && isStale(failure.item.version, standing))
      stale.push({ item: failure.item, internalId: standing.internal_id });
    else failed.push(failure);
  }
  return { passed, failed, stale };
}
