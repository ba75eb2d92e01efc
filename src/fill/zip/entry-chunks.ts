import { storedLength, writeStored } from './shared-prefix.ts';
import { LOCAL_HEADER_LENGTH, writeLocal } from './zip-format.ts';
import { type PrefixLengths, rowEntry, type ZipRow } from './zip-plan.ts';

/**
 * Entries of rows that follow each other, for who writes the ZIP from its start: the same bytes as the plan's segments.
 * Between two prefixes, one row's tail and the next one's header are a single chunk of a buffer that holds them all, so a
 * row costs a view, and the system is given two pieces for it instead of four.
 */
export function entryChunks(
  rows: readonly ZipRow[],
  tails: Uint8Array,
  deflated: Uint8Array,
  prefix: PrefixLengths,
): Uint8Array[] {
  const entries = rows.map((row) => rowEntry(row, prefix));
  let length = 0;
  rows.forEach(({ tailLength }, index) => {
    length += LOCAL_HEADER_LENGTH + (entries[index]?.name.length ?? 0) + storedLength(tailLength);
  });
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  const chunks: Uint8Array[] = [];
  let begun = 0;
  let at = 0;
  let tailAt = 0;
  rows.forEach(({ tailLength }, index) => {
    const entry = entries[index];
    if (entry === undefined) return;
    at = writeLocal(bytes, view, at, entry);
    chunks.push(bytes.subarray(begun, at), deflated);
    begun = at;
    at = writeStored(bytes, at, tails.subarray(tailAt, tailAt + tailLength));
    tailAt += tailLength;
  });
  if (begun < at) chunks.push(bytes.subarray(begun, at));
  return chunks;
}
