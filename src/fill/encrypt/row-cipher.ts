import type { ByteSink } from '../write/byte-sink.ts';

/** Encrypts the strings and streams of one row's PDF under its password (ISO 32000-2 §7.6, revision 6). */
export interface RowCipher {
  /** Members of the encryption dictionary. */
  readonly entries: {
    readonly U: Uint8Array;
    readonly UE: Uint8Array;
    readonly O: Uint8Array;
    readonly OE: Uint8Array;
    readonly Perms: Uint8Array;
  };
  /** The second half of the file's /ID. It reveals nothing about the content, unlike a hash of it. */
  readonly id: Uint8Array;
  /** Appends an initialization vector and the ciphertext to `sink`. Every call uses the next vector. */
  encrypt(sink: ByteSink, plain: Uint8Array): void;
}

/** What the keys of a row are derived from, besides the key of the installation. */
export interface RowSecrets {
  readonly rowNumber: number;
  /** UTF-8, at most `MAX_PASSWORD_BYTES`. */
  readonly password: Uint8Array;
  /** SHA-256 of the row's PDF before it is encrypted, in hex. Two rows with other content never share a key. */
  readonly plainSha256: string;
}

export type OpenRowCipher = (row: RowSecrets) => RowCipher;

/** All permissions: the password decides who reads the file, not what a reader may do with it (§7.6.4.2). */
export const PERMISSIONS = -4;

/** Initialization vector, and PKCS #7 padding to whole blocks of 16 bytes. */
export function encryptedLength(plainLength: number): number {
  return 16 + (Math.floor(plainLength / 16) + 1) * 16;
}
