import { CHAIN_START, type ChainedEntry, type ChainLink, hashEntry } from './audit-entry.ts';

export interface ChainBounds {
  /** The entry before the first one. Without it the first entry is accepted, which allows a later part of the chain. */
  readonly after?: ChainLink;
  /** The expected last entry. */
  readonly head?: ChainLink;
}

export type ChainVerdict =
  | { readonly ok: true; readonly entries: number; readonly first: number | null; readonly last: ChainLink }
  | { readonly ok: false; readonly entries: number; readonly seq: number; readonly reason: string };

/** Verifies a chain of audit entries up to its end or its first invalid entry. */
export async function verifyChain(
  entries: AsyncIterable<ChainedEntry> | Iterable<ChainedEntry>,
  { after, head }: ChainBounds = {},
): Promise<ChainVerdict> {
  let last = after;
  let first: number | null = null;
  let count = 0;
  for await (const entry of entries) {
    last ??= entry.seq === 1 ? CHAIN_START : { seq: entry.seq - 1, hash: entry.previous_hash };
    const reason = faultOf(entry, last);
    if (reason !== undefined) return { ok: false, entries: count, seq: entry.seq, reason };
    first ??= entry.seq;
    last = { seq: entry.seq, hash: entry.hash };
    count += 1;
  }
  last ??= CHAIN_START;
  if (head !== undefined && head.seq !== last.seq)
    return {
      ok: false,
      entries: count,
      seq: last.seq + 1,
      reason: `it is missing: the log ends at entry ${last.seq}, but ${head.seq} were written`,
    };
  if (head !== undefined && head.hash !== last.hash)
    return { ok: false, entries: count, seq: last.seq, reason: 'its hash is not the last that was written' };
  return { ok: true, entries: count, first, last };
}

function faultOf(entry: ChainedEntry, last: ChainLink): string | undefined {
  if (entry.seq !== last.seq + 1)
    return `it follows entry ${last.seq}, so entries are missing or out of order`;
  if (entry.previous_hash !== last.hash) return 'it does not refer to the hash of the entry before it';
  const { hash, ...content } = entry;
  return hashEntry(content) === hash ? undefined : 'its content does not match its hash';
}
