import { createCipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { type OpenRowCipher, PERMISSIONS, type RowCipher } from '#fill/encrypt/row-cipher.ts';
import { revision6Hash } from './revision-6-hash.ts';

const NONE = new Uint8Array(0);
const ZERO_VECTOR = Buffer.alloc(16);
/** Blocks of 64 KiB or more get pages of their own from the system (bin/rowpress), which takes longer than to encrypt them. */
const STREAM_PIECE = 32_768;

/**
 * Opens the cipher of a row by Node's own libraries. Everything that is random in an ordinary encrypted file comes from a
 * stream that is keyed with the installation's key, the row's number, its password and its content: the same row gives the
 * same bytes, and nobody without the key can predict them.
 */
export function nativeRowCiphers(key: string): OpenRowCipher {
  const installation = Buffer.from(key, 'hex');
  return ({ rowNumber, password, plainSha256 }) => {
    const seed = createHmac('sha256', installation)
      .update(`row ${rowNumber} ${plainSha256} ${password.length} `)
      .update(password)
      .digest();
    return openCipher(new KeyedBytes(seed), password);
  };
}

function openCipher(random: KeyedBytes, password: Uint8Array): RowCipher {
  const fileKey = createSecretKey(random.take(32));
  // 96 bits as text, so that it can be typed.
  const owner = Buffer.from(random.take(12).toString('base64url'));
  const user = entriesOf(password, random, fileKey, NONE);
  const ofOwner = entriesOf(owner, random, fileKey, user.hashed);
  const permissions = Buffer.alloc(16, 0xff);
  permissions.writeInt32LE(PERMISSIONS, 0);
  permissions.write('Tadb', 8, 'latin1');
  random.take(4).copy(permissions, 12);
  return {
    entries: {
      U: user.hashed,
      UE: user.sealedKey,
      O: ofOwner.hashed,
      OE: ofOwner.sealedKey,
      Perms: createCipheriv('aes-256-ecb', fileKey, null).setAutoPadding(false).update(permissions),
    },
    id: random.take(16),
    encrypt(sink, plain) {
      const vector = random.take(16);
      const cipher = createCipheriv('aes-256-cbc', fileKey, vector);
      sink.bytes(vector);
      for (let at = 0; at < plain.length; at += STREAM_PIECE)
        sink.bytes(cipher.update(plain.subarray(at, at + STREAM_PIECE)));
      sink.bytes(cipher.final());
    },
  };
}

/** Algorithms 8 and 9: the hash that a reader checks a password with, and the file key sealed under the password. */
function entriesOf(password: Uint8Array, random: KeyedBytes, fileKey: KeyObject, userEntry: Uint8Array) {
  const validationSalt = random.take(8);
  const keySalt = random.take(8);
  const hashed = Buffer.concat([revision6Hash(password, validationSalt, userEntry), validationSalt, keySalt]);
  const sealer = createSecretKey(revision6Hash(password, keySalt, userEntry));
  const sealedKey = createCipheriv('aes-256-cbc', sealer, ZERO_VECTOR)
    .setAutoPadding(false)
    .update(fileKey.export());
  return { hashed, sealedKey };
}

const CHUNK = Buffer.alloc(1024);

/** Bytes that only the seed predicts: the key stream of AES-256-CTR. */
class KeyedBytes {
  readonly #stream: ReturnType<typeof createCipheriv>;
  #chunk: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(seed: Buffer) {
    this.#stream = createCipheriv('aes-256-ctr', createSecretKey(seed), ZERO_VECTOR);
  }

  take(length: number): Buffer {
    if (this.#at + length > this.#chunk.length) {
      this.#chunk = Buffer.concat([this.#chunk.subarray(this.#at), this.#stream.update(CHUNK)]);
      this.#at = 0;
    }
    this.#at += length;
    return this.#chunk.subarray(this.#at - length, this.#at);
  }
}
