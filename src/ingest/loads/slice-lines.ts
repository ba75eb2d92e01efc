import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ItemResult } from '../pipeline/apply-batch.ts';

/**
 * Per-item results of a slice as they are kept: one JSON line each, zstd. 20,000 results of 90 bytes become
 * about 150 kB and take some ten milliseconds.
 */
export function packResults(results: readonly ItemResult[]): Buffer {
  return zstdCompressSync(`${results.map((result) => JSON.stringify(result)).join('\n')}\n`);
}

export function unpackResults(packed: Buffer): Buffer {
  return zstdDecompressSync(packed);
}
