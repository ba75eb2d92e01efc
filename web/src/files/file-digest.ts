import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const known = new WeakMap<Blob, Promise<string>>();

/** Returns the SHA-256 of a file in lower-case hex. It is computed once, chunk by chunk, so that the page stays responsive. */
export function fileDigest(file: Blob): Promise<string> {
  const digest = known.get(file) ?? digestOf(file);
  known.set(file, digest);
  return digest;
}

async function digestOf(file: Blob): Promise<string> {
  const hash = sha256.create();
  const reader = file.stream().getReader();
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return bytesToHex(hash.digest());
    hash.update(value);
  }
}
