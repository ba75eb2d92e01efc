import { setImmediate as breathe } from 'node:timers/promises';
import type { ReadItem } from '../pipeline/prepare-items.ts';
import { JsonSplitter } from './json-splitter.ts';
import { LineSplitter } from './line-splitter.ts';
import { isUnread, type PayloadFormat, type PayloadSlice, SLICE_LIMITS } from './payload-slice.ts';
import { readSlice } from './read-slice.ts';

/** The worst 256 kB (empty arrays) are read in about 50 ms; a whole slice of them would block for a second. */
const TURN = { ...SLICE_LIMITS, maxBytes: 256 * 1024 };

/** Reads the items of a slice like `readSlice`; other requests get their turn in between. */
export async function readInTurns(
  format: PayloadFormat,
  slice: PayloadSlice,
  bytes: Buffer,
): Promise<ReadItem[]> {
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

/** The slice in parts of a turn, as far as each turn's bytes complete them. */
function* jsonParts(bytes: Buffer): Generator<PayloadSlice[]> {
  const splitter = new JsonSplitter(TURN);
  splitter.push(HEAD);
  const here = (part: PayloadSlice) => ({
    ...part,
    start: part.start - HEAD.length,
    end: part.end - HEAD.length,
  });
  for (const chunk of inChunks(bytes)) yield splitter.push(chunk).map(here);
  yield [...splitter.push(TAIL), ...splitter.end()].map(here);
}

function* lineParts(bytes: Buffer, firstLine: number): Generator<PayloadSlice[]> {
  const splitter = new LineSplitter(TURN);
  const here = (part: PayloadSlice) => ({ ...part, line: firstLine - 1 + (part.line ?? 1) });
  for (const chunk of inChunks(bytes)) yield splitter.push(chunk).map(here);
  yield splitter.end().map(here);
}

function* inChunks(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += TURN.maxBytes) yield bytes.subarray(at, at + TURN.maxBytes);
}
