import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ItemOutcome } from '../pipeline/item-outcome.ts';
import type { PreparedBatch } from '../pipeline/prepare-items.ts';

/**
 * The stored outcomes of a slice: column by column, zstd. Most are never read, so writing must be cheap: each column is
 * serialised by one call, and ids are converted to public ids only when they are read.
 */
interface Columns {
  readonly sources: (string | null)[];
  /** One letter per outcome. */
  readonly statuses: string;
  readonly ids: (string | null)[];
  /** By position; most items have none. */
  readonly reasons: Record<number, string>;
}

const letters = { ACCEPTED: 'A', REPLAY: 'P', QUARANTINED: 'Q', REJECTED: 'R' } as const;
const statuses: Readonly<Record<string, ItemOutcome['status']>> = {
  A: 'ACCEPTED',
  P: 'REPLAY',
  Q: 'QUARANTINED',
  R: 'REJECTED',
};

export function packOutcomes(outcomes: readonly ItemOutcome[]): Buffer {
  const reasons: Record<number, string> = {};
  for (const [at, { reason }] of outcomes.entries()) if (reason !== undefined) reasons[at] = reason;
  return pack({
    sources: outcomes.map((outcome) => outcome.sourceId),
    statuses: outcomes.map((outcome) => letters[outcome.status]).join(''),
    ids: outcomes.map((outcome) => outcome.id ?? null),
    reasons,
  });
}

/** The outcomes of a batch whose prepared items are all new. */
export function packAsNew({ size, items, rejected }: PreparedBatch): Buffer {
  if (rejected.length === 0)
    return pack({
      sources: items.map((item) => item.sourceId),
      statuses: letters.ACCEPTED.repeat(size),
      ids: items.map((item) => item.internalId),
      reasons: {},
    });
  const outcomes = new Array<ItemOutcome>(size);
  for (const { ordinal, sourceId, internalId: id } of items)
    outcomes[ordinal] = { sourceId, status: 'ACCEPTED', id };
  for (const { ordinal, sourceId, reason } of rejected)
    outcomes[ordinal] = { sourceId, status: 'REJECTED', reason };
  return packOutcomes(outcomes);
}

function pack(columns: Columns): Buffer {
  return zstdCompressSync(JSON.stringify(columns));
}

export function unpackOutcomes(packed: Buffer): ItemOutcome[] {
  const { sources, statuses: status, ids, reasons } = JSON.parse(`${zstdDecompressSync(packed)}`) as Columns;
  return sources.map((sourceId, at) => {
    const [id, reason, of] = [ids[at] ?? undefined, reasons[at], statuses[status[at] ?? '']];
    if (of === undefined) throw new Error('bug: an outcome without a status');
    return { sourceId, status: of, ...(id !== undefined && { id }), ...(reason !== undefined && { reason }) };
  });
}
