import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { deflateSync } from 'fflate';
import type { Codec, RunningSha256 } from './codec.ts';
import { STORED_BLOCK_MAX, storedBlockHead } from './zip/shared-prefix.ts';

/** The codec for browsers and for tests that compare with them. */
export const portableCodec: Codec = {
  sha256Hex: (bytes) => bytesToHex(sha256(bytes)),
  sha256Start: () => running(sha256.create()),
  crc32,
  deflate: (bytes) => deflateSync(bytes),
  // Stored blocks: fflate 0.8.3's sync flush loses bits at some positions, and the size of a browser's archive does not matter.
  deflateOpen(bytes) {
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += STORED_BLOCK_MAX) {
      const block = bytes.subarray(at, at + STORED_BLOCK_MAX);
      chunks.push(storedBlockHead(block.length, false), block);
    }
    return concat(chunks);
  },
};

function running(hash: ReturnType<typeof sha256.create>): RunningSha256 {
  return {
    update: (bytes) => {
      hash.update(bytes);
    },
    copy: () => running(hash.clone()),
    digestHex: () => bytesToHex(hash.digest()),
  };
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** CRC-32 of ISO 3309, as ZIP requires it. `seed` is the CRC of the preceding bytes. */
function crc32(bytes: Uint8Array, seed = 0): number {
  let crc = ~seed;
  for (let at = 0; at < bytes.length; at += 1) {
    crc = (CRC_TABLE[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
