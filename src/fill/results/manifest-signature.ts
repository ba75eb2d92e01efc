import { z } from 'zod';
import { isSignedText, publicKeyOf, signedText } from '../package/signed-statement.ts';

/**
 * `manifest.sig`: an Ed25519 signature (RFC 8032) by an installation's seal key over the digest of `manifest.json`, which holds the
 * digest of every PDF. The format is part of what is signed, so a seal of a package never verifies as a signature of a manifest.
 */
export const SIGNATURE_NAME = 'manifest.sig';
/** Far above the one form that a signature has. */
export const MAX_SIGNATURE_BYTES = 4096;
const FORMAT = 'rowpress.manifest-signature';
const VERSION = 1;

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`));
const signatureSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  algorithm: z.literal('Ed25519'),
  public_key: hex(32),
  manifest_sha256: hex(32),
  signature: hex(64),
});

/** The text of `manifest.sig`. The same manifest and key give the same bytes: Ed25519 needs no randomness. */
export function manifestSignature(manifestSha256: string, secretKey: Uint8Array): string {
  const publicKey = publicKeyOf(secretKey);
  return signedText(statementOf(publicKey, manifestSha256), secretKey);
}

/** Returns the public key whose signature of this manifest the text is; null if it is not one. */
export function signerOf(text: string, manifestSha256: string): string | null {
  const parsed = signatureSchema.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const { public_key: publicKey, signature } = parsed.data;
  return isSignedText(text, statementOf(publicKey, manifestSha256), signature) ? publicKey : null;
}

function statementOf(publicKey: string, manifestSha256: string) {
  return {
    format: FORMAT,
    version: VERSION,
    algorithm: 'Ed25519',
    public_key: publicKey,
    manifest_sha256: manifestSha256,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
