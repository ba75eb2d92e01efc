/** The part of a file handle that `writeAll` needs. */
export interface VectorFile {
  writev(buffers: readonly Uint8Array[]): Promise<{ readonly bytesWritten: number }>;
}

/**
 * Node returns the count of a `writev` as a 32-bit integer and the system writes at most 2 GiB minus a page at once, so
 * a larger write would return a short or negative count. 64 MiB is far below and still costs nothing per byte.
 */
export const MOST_BYTES = 64 << 20;
/** IOV_MAX of Linux and macOS. */
export const MOST_BUFFERS = 1024;

/** Writes all chunks in order. A write may be short (a full pipe, a signal); the next one writes the rest. */
export async function writeAll(file: VectorFile, chunks: readonly Uint8Array[]): Promise<void> {
  let next = 0;
  let written = 0; // bytes of chunk `next`
  for (;;) {
    const batch: Uint8Array[] = [];
    let room = MOST_BYTES;
    let start = written;
    for (let at = next; at < chunks.length && room > 0 && batch.length < MOST_BUFFERS; at += 1) {
      const chunk = chunks[at] as Uint8Array;
      const piece = start === 0 && chunk.length <= room ? chunk : chunk.subarray(start, start + room);
      if (piece.length > 0) batch.push(piece);
      room -= piece.length;
      start = 0;
    }
    if (batch.length === 0) return;
    const wanted = MOST_BYTES - room;
    const { bytesWritten } = await file.writev(batch);
    if (!Number.isInteger(bytesWritten) || bytesWritten <= 0 || bytesWritten > wanted) {
      throw new Error(`a write of ${wanted} bytes returned ${bytesWritten}`);
    }
    written += bytesWritten;
    while (next < chunks.length && written >= (chunks[next] as Uint8Array).length) {
      written -= (chunks[next] as Uint8Array).length;
      next += 1;
    }
  }
}
