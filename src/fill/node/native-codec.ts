import { createHash, hash as hashOnce } from 'node:crypto';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { Codec, RunningSha256 } from '../codec.ts';

/** Hashes, checksums and ZIP compression by Node's own libraries. */
export const nativeCodec: Codec = {
  sha256Hex: (bytes) => hashOnce('sha256', bytes, 'hex'),
  sha256Start: () => running(createHash('sha256')),
  crc32: (bytes, seed = 0) => crc32(bytes, seed),
  deflate: (bytes) => deflateRawSync(bytes),
  // A full flush clears the window, so that the tail cannot refer back into the shared prefix.
  deflateOpen: (bytes) => deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH }),
};

function running(hash: ReturnType<typeof createHash>): RunningSha256 {
  return {
    update: (bytes) => {
      hash.update(bytes);
    },
    copy: () => running(hash.copy()),
    digestHex: () => hash.digest('hex'),
  };
}
