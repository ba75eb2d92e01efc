import type { Codec, RunningSha256 } from '../codec.ts';

/**
 * All row PDFs start with the same base. It is deflated once and ends with a full flush (RFC 1951 allows blocks to be
 * concatenated at a byte boundary). A row's compressed data is that prefix followed by its tail in stored blocks. A tail is
 * 1–5 kB of mostly digits: compressing it would take as long as drawing it and save one percent of the entry.
 */
export interface SharedPrefix {
  readonly deflated: Uint8Array;
  readonly plainLength: number;
  readonly crc32: number;
  readonly sha256: RunningSha256;
}

export function sharedPrefix(base: Uint8Array, codec: Codec): SharedPrefix {
  const sha256 = codec.sha256Start();
  sha256.update(base);
  return { deflated: codec.deflateOpen(base), plainLength: base.length, crc32: codec.crc32(base), sha256 };
}

/** Maximum size of a stored block (RFC 1951 §3.2.4). */
export const STORED_BLOCK_MAX = 65_535;
export const STORED_BLOCK_HEAD = 5;

export function storedLength(tailLength: number): number {
  return tailLength + STORED_BLOCK_HEAD * storedBlocks(tailLength);
}

export function storedBlocks(tailLength: number): number {
  return Math.max(1, Math.ceil(tailLength / STORED_BLOCK_MAX));
}

export function storedBlockHead(length: number, final: boolean): Uint8Array {
  const head = new Uint8Array(STORED_BLOCK_HEAD);
  writeStoredBlockHead(head, 0, length, final);
  return head;
}

function writeStoredBlockHead(bytes: Uint8Array, at: number, length: number, final: boolean): void {
  bytes[at] = final ? 1 : 0;
  bytes[at + 1] = length;
  bytes[at + 2] = length >> 8;
  bytes[at + 3] = ~length;
  bytes[at + 4] = ~length >> 8;
}

/** Writes a tail as stored blocks and returns the position after them. */
export function writeStored(bytes: Uint8Array, at: number, tail: Uint8Array): number {
  let to = at;
  let from = 0;
  for (let block = storedBlocks(tail.length); block > 0; block -= 1) {
    const length = Math.min(STORED_BLOCK_MAX, tail.length - from);
    writeStoredBlockHead(bytes, to, length, block === 1);
    bytes.set(tail.subarray(from, from + length), to + STORED_BLOCK_HEAD);
    to += STORED_BLOCK_HEAD + length;
    from += length;
  }
  return to;
}
