import { CHUNK_BYTES, type ChunkCipher, DamagedChunk, SEALED_CHUNK_BYTES } from './chunk-cipher.ts';
import { opened } from './chunk-stream.ts';

/** `end` is exclusive. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** The chunks that hold a range of the plaintext. */
export function chunksOf({ start, end }: Range): { readonly first: number; readonly last: number } {
  return { first: Math.floor(start / CHUNK_BYTES), last: Math.max(0, Math.ceil(end / CHUNK_BYTES) - 1) };
}

/** The bytes of a sealed stream that hold a range of the plaintext. */
export function sealedRange(range: Range): Range {
  const { first, last } = chunksOf(range);
  return { start: first * SEALED_CHUNK_BYTES, end: (last + 1) * SEALED_CHUNK_BYTES };
}

/**
 * Opens the chunks that hold a range and yields the bytes of the range. A range that goes on after the end of
 * the stream ends with it, because the last chunk proves where that is. A range that begins there or after it
 * fails, because no chunk proves anything.
 */
export async function* openedRange(
  cipher: ChunkCipher,
  range: Range,
  read: (sealed: Range) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  if (range.start >= range.end) return;
  const { first, last } = chunksOf(range);
  let at = first * CHUNK_BYTES;
  let found = false;
  for await (const plain of opened(cipher, read(sealedRange(range)), {
    firstIndex: first,
    lastIndex: last,
  })) {
    const part = plain.subarray(Math.max(0, range.start - at), Math.max(0, range.end - at));
    at += plain.length;
    if (part.length === 0) continue;
    found = true;
    yield part;
  }
  if (!found) throw new DamagedChunk('the stream ends before the range begins');
}

/** Opens the range from bytes that were read at `sealedRange`, for readers that cannot wait. */
export function openRange(cipher: ChunkCipher, range: Range, sealed: Buffer): Buffer {
  const { first, last } = chunksOf(range);
  const parts: Buffer[] = [];
  for (let index = first, at = 0; index <= last; index += 1, at += SEALED_CHUNK_BYTES) {
    const chunk = sealed.subarray(at, at + SEALED_CHUNK_BYTES);
    parts.push(index < last ? cipher.open(index, false, chunk) : cipher.openStop(index, chunk));
  }
  const skipped = range.start - first * CHUNK_BYTES;
  return Buffer.concat(parts).subarray(skipped, skipped + range.end - range.start);
}
