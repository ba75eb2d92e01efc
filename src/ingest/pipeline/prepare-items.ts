import type { StagedItem } from '#storage/ingest/copy-items.ts';
import type { CollectionDefinition, Reference } from '../collections/definition.ts';

/** What the reader made of one place in the payload. */
export type ReadItem =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

export interface PreparedItem extends StagedItem {
  /** Place in the payload, from 0. */
  readonly ordinal: number;
  readonly references: readonly Reference[];
  readonly kind: string | null;
  /** As sent, for quarantine. */
  readonly sent: unknown;
}

export interface RejectedItem {
  readonly ordinal: number;
  readonly sourceId: string | null;
  readonly reason: string;
}

export interface PreparedBatch {
  readonly size: number;
  readonly items: readonly PreparedItem[];
  readonly rejected: readonly RejectedItem[];
}

/**
 * The first step of the pipeline: everything that can be said about an item without looking at others. Pure,
 * so a bulk load prepares the next slice while the database still works on this one.
 */
export function prepareItems(
  definition: CollectionDefinition,
  read: readonly ReadItem[],
  nextId: () => string,
  firstOrdinal = 0,
): PreparedBatch {
  const items: PreparedItem[] = [];
  const rejected: RejectedItem[] = [];
  for (const [at, entry] of read.entries()) {
    const ordinal = firstOrdinal + at;
    const outcome = entry.ok ? prepareItem(definition, entry.value, ordinal, nextId) : entry.reason;
    if (typeof outcome !== 'string') items.push(outcome);
    else rejected.push({ ordinal, sourceId: entry.ok ? sourceIdOf(entry.value) : null, reason: outcome });
  }
  return { size: read.length, items, rejected };
}

/** A string is the reason why the item is rejected. */
function prepareItem(
  definition: CollectionDefinition,
  value: unknown,
  ordinal: number,
  nextId: () => string,
): PreparedItem | string {
  const parsed = definition.schema.safeParse(value);
  if (!parsed.success) return describe(parsed.error.issues[0]);
  const item = parsed.data;
  const version = item.source_version ?? null;
  // The validated copy is ours. Undefined members are not written; leaving one out by `...rest` costs more
  // than the validation.
  item.source_version = undefined;
  const canonical = definition.canonical(item);
  const text = JSON.stringify(canonical);
  const unstorable = findUnstorable(text);
  if (unstorable !== undefined) return unstorable;
  return {
    ordinal,
    sourceId: item.source_id,
    version,
    internalId: nextId(),
    item: text,
    graph: definition.graph?.(item) ?? null,
    references: definition.references(item),
    kind: typeof canonical.kind === 'string' ? canonical.kind : null,
    sent: value,
  };
}

/**
 * `jsonb` holds neither U+0000 nor half a surrogate pair (PostgreSQL, "JSON Types"). `JSON.stringify` writes
 * both as escapes, so plain text is passed by at the cost of one search.
 */
function findUnstorable(text: string): string | undefined {
  if (!text.includes('\\u')) return undefined;
  const found = /(?<!\\)(?:\\\\)*\\u(0000|d[89a-f])/.exec(text)?.[1];
  if (found === undefined) return undefined;
  return found === '0000' ? 'holds the character U+0000' : 'holds half a surrogate pair';
}

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

function describe(issue: Issue | undefined): string {
  if (issue === undefined) return 'is not valid';
  if (issue.code === 'unrecognized_keys' && issue.keys?.[0] !== undefined)
    return `${[...issue.path, issue.keys[0]].join('.')}: is not a known member`;
  const field = issue.path.join('.');
  return field === '' ? issue.message : `${field}: ${issue.message}`;
}

function sourceIdOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('source_id' in value)) return null;
  const id = value.source_id;
  return typeof id === 'string' && id.length <= 200 && id.isWellFormed() && !id.includes('\0') ? id : null;
}
