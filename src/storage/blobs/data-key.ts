import { createHmac, hkdfSync } from 'node:crypto';
import { ChunkCipher } from '#lib/encryption/chunk-cipher.ts';

export const DATA_KEY_BYTES = 32;

/**
 * The key of one account's blobs. Names and contents use keys derived from it by HKDF (RFC 5869). The name of a blob is
 * an HMAC of the SHA-256 of its content: equal content of one account is one blob, and without the key a name reveals
 * nothing about the content. Each blob has its own key, derived from its name. The name depends on the content, so one
 * key never encrypts two contents, and the counted nonces of `ChunkCipher` are safe. Encrypting the same content again
 * gives the same bytes, so a repeated put replaces a file with an identical one.
 */
export class DataKey {
  readonly id: string;
  readonly #key: Buffer;
  readonly #names: Buffer;

  constructor(id: string, key: Buffer) {
    if (key.length !== DATA_KEY_BYTES) throw new Error(`bug: a data key has ${DATA_KEY_BYTES} bytes`);
    this.id = id;
    this.#key = key;
    this.#names = this.#derive('names');
  }

  /** Returns the name of the blob whose content has this SHA-256. */
  nameOf(digest: string): string {
    return `${createHmac('sha256', this.#names).update(digest).digest('hex')}-${this.id}`;
  }

  cipherOf(name: string): ChunkCipher {
    return new ChunkCipher(this.blobKey(name), Buffer.from(name));
  }

  blobKey(name: string): Buffer {
    return this.#derive(`blob/${name}`);
  }

  #derive(purpose: string): Buffer {
    return Buffer.from(
      hkdfSync('sha256', this.#key, Buffer.alloc(0), `rowpress/data/${purpose}`, DATA_KEY_BYTES),
    );
  }
}

/** The source of data keys. */
export interface DataKeySource {
  /** Returns the key of the account, and creates it at first use. */
  ofAccount(accountId: string): Promise<DataKey>;
  /** Fails with a `SurroundingsError` if there is no such key, or if no secret opens it. */
  byId(id: string): Promise<DataKey>;
}
