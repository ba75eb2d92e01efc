import type { StagedItem } from '#storage/ingest/copy-items.ts';
import type { CollectionDefinition, Reference } from '../collections/definition.ts';

/** The read result of one position in the payload. */
export type ReadItem =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

export interface PreparedItem extends StagedItem {
  /** Position in the payload, from 0. */
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
 * The first step of the pipeline: all checks of an item that do not depend on others. Pure, so that a bulk load can
 * prepare the next slice while the database writes this one.
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

/** Returns a string, the reason, if the item is rejected. */
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
  // The validated copy is ours, and undefined members are not written. Leaving one out by `...rest` costs more than
  // the validation.
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
 * `jsonb` can store neither U+0000 nor an unpaired surrogate (PostgreSQL, "JSON Types"). `JSON.stringify` writes both
 * as escapes, so plain text costs one search.
 */
function findUnstorable(text: string): string | undefined {
  if (!text.includes('\\u')) return undefined;
  const found = /(?<!\\)(?:\\\\)*\\u(0000|d[89a-f])/.exec(text)?.[1];
  if (found === undefined) return undefined;
  return found === '0000' ? 'contains the character U+0000' : 'contains an unpaired surrogate';
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
    return `${[...issue.path, issue.keys[0]].join('.')}: unknown member`;
  const field = issue.path.join('.');
  return field === '' ? issue.message : `${field}: ${issue.message}`;
}

function sourceIdOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('source_id' in value)) return null;
  const id = value.source_id;
  return typeof id === 'string' && id.length <= 200 && id.isWellFormed() && !id.includes('\0') ? id : null;
}
