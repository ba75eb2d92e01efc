import { storedLength, writeStored } from './shared-prefix.ts';
import { LOCAL_HEADER_LENGTH, writeLocal, type ZipEntry } from './zip-format.ts';
import { type PrefixLengths, rowEntry, type ZipRow } from './zip-plan.ts';

/**
 * Entries of rows that follow each other, for who writes the ZIP from its start: the same bytes as the plan's segments.
 * Between two prefixes, one row's tail and the next one's header are a single chunk of a buffer that holds them all, so a
 * row costs a view, and the system is given two pieces for it instead of four.
 *
 * Loops without callbacks, here and wherever a function runs once for each slice: V8 forgets the optimised code of a
 * callback when the last one of its kind is collected, and optimised the same few functions eight times in a run.
 */
export function entryChunks(
  rows: readonly ZipRow[],
  tails: Uint8Array,
  deflated: Uint8Array,
  prefix: PrefixLengths,
): Uint8Array[] {
  const entries: ZipEntry[] = [];
  let length = 0;
  for (const row of rows) {
    const entry = rowEntry(row, prefix);
    entries.push(entry);
    length += LOCAL_HEADER_LENGTH + entry.name.length + storedLength(row.tailLength);
  }
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  const chunks: Uint8Array[] = [];
  let begun = 0;
  let at = 0;
  let tailAt = 0;
  for (let index = 0; index < rows.length; index += 1) {
    const { tailLength } = rows[index] as ZipRow;
    at = writeLocal(bytes, view, at, entries[index] as ZipEntry);
    chunks.push(bytes.subarray(begun, at), deflated);
    begun = at;
    at = writeStored(bytes, at, tails.subarray(tailAt, tailAt + tailLength));
    tailAt += tailLength;
  }
  if (begun < at) chunks.push(bytes.subarray(begun, at));
  return chunks;
}
