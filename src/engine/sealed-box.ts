import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export interface BoxKey {
  /** Eight bytes that identify the secret from which this key was derived. */
  readonly id: Buffer;
  readonly key: Buffer;
}

/** The format from before secrets could be rotated: no key id, so every key is tried. */
const WITHOUT_KEY_ID = 1;
const VERSION = 2;
export const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A sealed value refers to a secret that this process does not have. */
export class UnknownKey extends Error {
  override readonly name = 'UnknownKey';
  readonly keyId: string;

  constructor(keyId: string) {
    super(`no secret with the key id ${keyId}`);
    this.keyId = keyId;
  }
}

/**
 * Encryption at rest: AES-256-GCM with a random nonce (NIST SP 800-38D; far below its 2^32 messages per key). Layout:
 * version, key id, nonce, ciphertext, tag. Version and key id are authenticated too. The first key seals; every key
 * opens, so that values sealed before a rotation stay readable.
 */
export class SealedBox {
  readonly #keys: () => readonly BoxKey[];
  readonly #reload: () => boolean;

  /** `reload` is called for an unknown key id. It returns true if `keys` may now return more. */
  constructor(keys: () => readonly BoxKey[], reload: () => boolean = () => false) {
    this.#keys = keys;
    this.#reload = reload;
  }

  /** Seals with the first key, or with the key of that id, in hexadecimal. */
  seal(plain: string | Uint8Array, keyId?: string): Buffer {
    const used = keyId === undefined ? this.#keys()[0] : this.#keyOf(keyId);
    if (used === undefined) throw new Error('bug: the box has no key');
    const head = prefixOf(used.id);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', used.key, nonce).setAAD(head);
    const content = typeof plain === 'string' ? Buffer.from(plain, 'utf8') : plain;
    return Buffer.concat([head, nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  }

  /** Throws if the bytes were changed or were sealed by another installation. */
  open(box: Buffer): string {
    return this.openBytes(box).toString('utf8');
  }

  openBytes(box: Buffer): Buffer {
    if (box[0] === WITHOUT_KEY_ID) return this.#openAny(box);
    const keyId = sealedUnder(box);
    if (keyId === undefined) throw new Error('bug: not a sealed box');
    return decrypt(box, 1 + KEY_ID_BYTES, this.#keyOf(keyId).key);
  }

  #keyOf(keyId: string): BoxKey {
    const find = () => this.#keys().find(({ id }) => id.toString('hex') === keyId);
    const found = find() ?? (this.#reload() ? find() : undefined);
    if (found === undefined) throw new UnknownKey(keyId);
    return found;
  }

  #openAny(box: Buffer): Buffer {
    let failure: unknown;
    for (const { key } of this.#keys()) {
      try {
        return decrypt(box, 1, key);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }
}

/** The first bytes of every value that this key sealed. */
export function prefixOf(keyId: Buffer): Buffer {
  if (keyId.length !== KEY_ID_BYTES) throw new Error('bug: a key id must have eight bytes');
  return Buffer.concat([Buffer.from([VERSION]), keyId]);
}

/** Returns the key id of a value in hexadecimal, or undefined if the value has none. */
export function sealedUnder(box: Buffer): string | undefined {
  if (box[0] !== VERSION || box.length < 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES) return undefined;
  return box.subarray(1, 1 + KEY_ID_BYTES).toString('hex');
}

function decrypt(box: Buffer, headBytes: number, key: Buffer): Buffer {
  if (box.length < headBytes + NONCE_BYTES + TAG_BYTES) throw new Error('bug: not a sealed box');
  const nonce = box.subarray(headBytes, headBytes + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(box.subarray(0, headBytes)).setAuthTag(box.subarray(-TAG_BYTES));
  const content = box.subarray(headBytes + NONCE_BYTES, -TAG_BYTES);
  return Buffer.concat([decipher.update(content), decipher.final()]);
}
