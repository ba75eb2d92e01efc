import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

/** The members of a statement that names its signer. They are signed in the order in which they are written. */
export interface Statement {
  readonly public_key: string;
}

export function publicKeyOf(secretKey: Uint8Array): string {
  return bytesToHex(ed25519.getPublicKey(secretKey));
}

/** Signs the JSON of a statement and returns its one valid text: the members, then `signature`, without white space. */
export function signedText(statement: Statement, secretKey: Uint8Array): string {
  const signature = bytesToHex(ed25519.sign(signedBytes(statement), secretKey));
  return JSON.stringify({ ...statement, signature });
}

/** Returns whether the text is that of the statement with this signature, and the signature is valid. */
export function isSignedText(text: string, statement: Statement, signature: string): boolean {
  if (text !== JSON.stringify({ ...statement, signature })) return false;
  try {
    // RFC 8032 rules, not ZIP-215: each signature and key has exactly one accepted encoding.
    return ed25519.verify(hexToBytes(signature), signedBytes(statement), hexToBytes(statement.public_key), {
      zip215: false,
    });
  } catch {
    return false;
  }
}

const signedBytes = (statement: Statement) => new TextEncoder().encode(JSON.stringify(statement));
