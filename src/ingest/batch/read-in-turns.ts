import { setImmediate as breathe } from 'node:timers/promises';
import { isUnread, type Slice } from '#lib/records/slice.ts';
import type { ReadItem } from '../pipeline/prepare-items.ts';
import { type PayloadFormat, payloadSlicer, SLICE_LIMITS } from './payload-slice.ts';
import { readSlice } from './read-slice.ts';

/** The worst 256 kB (empty arrays) are read in about 50 ms; a whole slice of them would block for a second. */
const TURN = { ...SLICE_LIMITS, maxBytes: 256 * 1024 };

/** Reads the items of a slice like `readSlice`, and yields to other requests in between. */
export async function readInTurns(format: PayloadFormat, slice: Slice, bytes: Buffer): Promise<ReadItem[]> {
  if (isUnread(slice) || bytes.length <= TURN.maxBytes) return readSlice(format, slice, bytes);
  const items: ReadItem[] = [];
  for (const parts of format === 'json' ? jsonParts(bytes) : lineParts(bytes, slice.line ?? 1)) {
    for (const part of parts)
      for (const item of readSlice(format, part, bytes.subarray(part.start, part.end))) items.push(item);
    await breathe();
  }
  return items;
}

const HEAD = Buffer.from('{"items":[');
const TAIL = Buffer.from(']}');

/** Yields the parts of a slice that each turn completes. */
function* jsonParts(bytes: Buffer): Generator<Slice[]> {
  const slicer = payloadSlicer('json', TURN);
  slicer.push(HEAD);
  const here = (part: Slice) => ({
    ...part,
    start: part.start - HEAD.length,
    end: part.end - HEAD.length,
  });
  for (const chunk of inChunks(bytes)) yield slicer.push(chunk).map(here);
  yield [...slicer.push(TAIL), ...slicer.end()].map(here);
}

function* lineParts(bytes: Buffer, firstLine: number): Generator<Slice[]> {
  const slicer = payloadSlicer('ndjson', TURN);
  const here = (part: Slice) => ({ ...part, line: firstLine - 1 + (part.line ?? 1) });
  for (const chunk of inChunks(bytes)) yield slicer.push(chunk).map(here);
  yield slicer.end().map(here);
}

function* inChunks(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += TURN.maxBytes) yield bytes.subarray(at, at + TURN.maxBytes);
}
