import { storedLength, writeStored } from './shared-prefix.ts';
import { localLength, writeLocal } from './zip-format.ts';
import { type PrefixLengths, rowEntry, type ZipRow } from './zip-plan.ts';

/**
 * Chunks of the entries of consecutive rows, for a writer that writes the ZIP from its start. They are the same bytes as the
 * plan's segments. Between two prefixes, one row's tail and the next one's header are a single chunk of one buffer, so a row
 * costs one view, and the system receives two chunks per row instead of four.
 *
 * The loops have no callbacks, as in every function that runs once per slice: V8 drops the optimised code of a callback when
 * the last closure of its kind is collected, and compiled the same few functions eight times in a run.
 */
export function entryChunks(
  rows: readonly ZipRow[],
  tails: Uint8Array,
  deflated: Uint8Array,
  prefix: PrefixLengths,
): Uint8Array[] {
  let length = 0;
  for (const { name, tailLength } of rows) length += localLength(name) + storedLength(tailLength);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  const chunks: Uint8Array[] = [];
  let begun = 0;
  let at = 0;
  let tailAt = 0;
  for (const row of rows) {
    at = writeLocal(bytes, view, at, rowEntry(row, prefix));
    chunks.push(bytes.subarray(begun, at), deflated);
    begun = at;
    at = writeStored(bytes, at, tails.subarray(tailAt, tailAt + row.tailLength));
    tailAt += row.tailLength + (row.gap ?? 0);
  }
  if (begun < at) chunks.push(bytes.subarray(begun, at));
  return chunks;
}
