import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32, createDeflateRaw } from 'node:zlib';
import type { ZipManifest } from '../zip/zip-plan.ts';

/** A manifest of any size as a ZIP entry; only its compressed form is ever whole in memory. */
export async function deflateManifest(pieces: Iterable<Uint8Array>): Promise<ZipManifest> {
  let checksum = 0;
  let plainLength = 0;
  const counted = function* () {
    for (const piece of pieces) {
      checksum = crc32(piece, checksum);
      plainLength += piece.length;
      yield piece;
    }
  };
  const deflate = createDeflateRaw();
  const failed = new Promise<never>((_, reject) => {
    pipeline(Readable.from(counted()), deflate, (error) => {
      if (error) reject(error);
    });
  });
  const deflated = await Promise.race([buffer(deflate), failed]);
  return { deflated, plainLength, crc32: checksum };
}
