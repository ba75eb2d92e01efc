import { createCipheriv, createSecretKey, hash } from 'node:crypto';

const HASHES = ['sha256', 'sha384', 'sha512'] as const;
const REPEATS = 64;
/** The longest password, hash and /U. */
const repeated = Buffer.alloc(REPEATS * (127 + 64 + 48));

/**
 * Algorithm 2.B of ISO 32000-2: the hash of a password, a salt and, for the owner, the user's /U. It is meant to be slow: 64
 * rounds or more, each of them encrypts and hashes some kilobytes.
 */
export function revision6Hash(password: Uint8Array, salt: Uint8Array, userEntry: Uint8Array): Buffer {
  let key = hash('sha256', Buffer.concat([password, salt, userEntry]), 'buffer');
  for (let rounds = 1; ; rounds += 1) {
    // A key object: given raw bytes, Node takes four times as long to start the cipher.
    const cipher = createCipheriv(
      'aes-128-cbc',
      createSecretKey(key.subarray(0, 16)),
      key.subarray(16, 32),
    ).setAutoPadding(false);
    const encrypted = cipher.update(repeat(password, key, userEntry));
    let sum = 0;
    for (let index = 0; index < 16; index += 1) sum += encrypted[index] ?? 0;
    // The first 16 bytes as a number modulo 3: 256 is 1 modulo 3.
    key = hash(HASHES[sum % 3] ?? 'sha256', encrypted, 'buffer');
    if (rounds >= 64 && (encrypted.at(-1) ?? 0) <= rounds - 32) return key.subarray(0, 32);
  }
}

function repeat(...parts: readonly Uint8Array[]): Buffer {
  let length = 0;
  for (const part of parts) {
    repeated.set(part, length);
    length += part.length;
  }
  const end = length * REPEATS;
  for (; length < end; length *= 2) repeated.copyWithin(length, 0, Math.min(length, end - length));
  return repeated.subarray(0, end);
}
