import { createCipheriv, createDecipheriv } from 'node:crypto';

/** Plaintext bytes of every chunk except the last, which may be shorter or empty. */
export const CHUNK_BYTES = 65_536;
export const TAG_BYTES = 16;
export const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;
const MAX_CHUNKS = 2 ** 32;

/** The bytes were changed, cut short, reordered, or sealed with another key. */
export class DamagedChunk extends Error {
  override readonly name = 'DamagedChunk';
  /** Tells the fault apart after the error has crossed to another thread. */
  readonly code = 'DAMAGED_CHUNK';
}

/**
 * AES-256-GCM in chunks, following the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015). The nonce is the
 * chunk number and a flag for the last chunk. A moved chunk, a missing end and bytes after the end therefore fail, and
 * any chunk can be opened alone. Use a key for one stream only: all streams have the same nonces. `context` is
 * authenticated with every chunk.
 */
export class ChunkCipher {
  readonly #key: Buffer;
  readonly #context: Buffer;

  constructor(key: Buffer, context: Buffer) {
    this.#key = key;
    this.#context = context;
  }

  seal(index: number, last: boolean, plain: Uint8Array): Buffer {
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonceOf(index, last)).setAAD(this.#context);
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }

  open(index: number, last: boolean, sealed: Buffer): Buffer {
    if (sealed.length < TAG_BYTES) throw new DamagedChunk('the chunk is shorter than its tag');
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonceOf(index, last), options);
    decipher.setAAD(this.#context).setAuthTag(sealed.subarray(-TAG_BYTES));
    const plain = decipher.update(sealed.subarray(0, -TAG_BYTES));
    try {
      // Checks the tag. GCM holds no bytes back, so this adds none.
      decipher.final();
      return plain;
    } catch {
      throw new DamagedChunk(`chunk ${index} does not match its tag`);
    }
  }

  /**
   * Opens the chunk at which a reader stops. A short chunk must be the last of the stream; a full one may be,
   * and its tag tells which.
   */
  openStop(index: number, sealed: Buffer): Buffer {
    if (sealed.length < SEALED_CHUNK_BYTES) return this.open(index, true, sealed);
    try {
      return this.open(index, false, sealed);
    } catch (error) {
      if (!(error instanceof DamagedChunk)) throw error;
      return this.open(index, true, sealed);
    }
  }
}

function nonceOf(index: number, last: boolean): Buffer {
  if (index >= MAX_CHUNKS) throw new Error('bug: the stream has more than 2^32 chunks');
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(index, 7);
  nonce.writeUInt8(last ? 1 : 0, 11);
  return nonce;
}

/** Returns the length of a sealed stream with this many bytes of plaintext. */
export function sealedLength(plainBytes: number): number {
  return plainBytes + chunkCount(plainBytes) * TAG_BYTES;
}

/** Returns the number of chunks. An empty stream has one empty chunk, so that its end is authenticated too. */
export function chunkCount(plainBytes: number): number {
  return Math.max(1, Math.ceil(plainBytes / CHUNK_BYTES));
}
