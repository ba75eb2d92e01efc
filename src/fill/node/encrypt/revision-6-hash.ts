import { createCipheriv, createSecretKey, hash } from 'node:crypto';

const HASHES = ['sha256', 'sha384', 'sha512'] as const;
const REPEATS = 64;
/** The longest password, hash and /U. */
const repeated = Buffer.alloc(REPEATS * (127 + 64 + 48));
const cipherKey = new Uint8Array(16);
const vector = new Uint8Array(16);

/**
 * Algorithm 2.B of ISO 32000-2: the hash of a password, a salt and, for the owner, the user's /U. It is meant to be slow: 64
 * rounds or more, each of them encrypts and hashes some kilobytes. Half of the time is spent in the native code; the rest is
 * what Node takes to create a cipher, a key and two results per round, so everything else is reused.
 */
export function revision6Hash(password: Uint8Array, salt: Uint8Array, userEntry: Uint8Array): Buffer {
  // Hashes are strings of bytes: each buffer would be an allocation outside of V8's heap.
  let key = hash('sha256', Buffer.concat([password, salt, userEntry]), 'binary');
  for (let rounds = 1; ; rounds += 1) {
    const length = repeat(password, key, userEntry);
    // A key object: given raw bytes, Node takes four times as long to start the cipher. All blocks are whole, and the padding would
    // follow only at the end.
    const cipher = createCipheriv('aes-128-cbc', createSecretKey(cipherKey), vector);
    const encrypted = cipher.update(repeated.subarray(0, length));
    let sum = 0;
    for (let index = 0; index < 16; index += 1) sum += encrypted[index] ?? 0;
    // The first 16 bytes as a number modulo 3: 256 is 1 modulo 3.
    key = hash(HASHES[sum % 3] ?? 'sha256', encrypted, 'binary');
    if (rounds >= 64 && (encrypted[length - 1] ?? 0) <= rounds - 32)
      return Buffer.from(key, 'binary').subarray(0, 32);
  }
}

/** Fills `repeated`, and takes the key and the vector of the cipher from the hash. Returns the length. */
function repeat(password: Uint8Array, key: string, userEntry: Uint8Array): number {
  const at = password.length;
  repeated.set(password);
  repeated.write(key, at, 'binary');
  cipherKey.set(repeated.subarray(at, at + 16));
  vector.set(repeated.subarray(at + 16, at + 32));
  repeated.set(userEntry, at + key.length);
  let length = at + key.length + userEntry.length;
  const end = length * REPEATS;
  for (; length < end; length *= 2) repeated.copyWithin(length, 0, Math.min(length, end - length));
  return end;
}
