import { JsonArraySplitter } from '#lib/records/json-array.ts';
import { LineSplitter } from '#lib/records/lines.ts';
import type { SliceLimits } from '#lib/records/slice.ts';
import { Slicer } from '#lib/records/slicer.ts';

export type PayloadFormat = 'json' | 'ndjson';

/** Far above the limit for attributes (ING16). */
export const MAX_ITEM_DEPTH = 64;

/**
 * 10,000 items are about a fifth of a second of database work: long enough that the fixed cost of a slice (claim, commit, wake-up) is
 * small, short enough that a killed worker loses little and that two slices in memory stay small. Items are small; one above a megabyte
 * contains something else. The first slice is small, because nothing is written while it is read and validated.
 */
export const SLICE_LIMITS = {
  maxRows: 10_000,
  firstRows: 1_000,
  maxBytes: 4 * 1024 * 1024,
  maxRecordBytes: 1024 * 1024,
} as const satisfies SliceLimits;

/** The envelope of JSON is `{"items": […]}`. A deep item is rejected alone, like every item that is wrong in itself. */
const ENVELOPE = { name: 'The body', member: 'items', maxDepth: MAX_ITEM_DEPTH, tooDeep: 'mark' } as const;

/** Finds the items of a payload and groups them into slices. */
export function payloadSlicer(format: PayloadFormat, limits: SliceLimits = SLICE_LIMITS): Slicer {
  return new Slicer(limits, (found) =>
    format === 'json' ? new JsonArraySplitter(ENVELOPE, found) : new LineSplitter(found),
  );
}
