import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { manifestSignature, SIGNATURE_NAME } from '../results/manifest-signature.ts';
import { storedBlockHead } from '../zip/shared-prefix.ts';
import type { ZipLastEntry, ZipManifest } from '../zip/zip-plan.ts';

/**
 * Signs a composed manifest. Its head is written last, so its digest is computed from the compressed entry, in pieces: 20 MB for
 * 100,000 rows.
 */
export async function signManifest(
  { deflated }: Pick<ZipManifest, 'deflated'>,
  secretKey: Uint8Array,
): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of Readable.from([deflated]).pipe(createInflateRaw())) hash.update(piece as Buffer);
  return manifestSignature(hash.digest('hex'), secretKey);
}

/** `manifest.sig` as an entry of the ZIP. It is stored: a signature does not compress. */
export function signatureEntry(text: string): ZipLastEntry {
  const bytes = Buffer.from(text);
  return {
    name: SIGNATURE_NAME,
    deflated: Buffer.concat([storedBlockHead(bytes.length, true), bytes]),
    plainLength: bytes.length,
    crc32: crc32(bytes),
  };
}
