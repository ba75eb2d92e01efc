import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { OperatorError } from '../lib/errors/operator-error.ts';
import { ensureDataDir } from '../storage/data-dir.ts';
import { ensureSecretFile } from '../storage/secret-file.ts';

export const SECRET_KEY_FILE = 'secret.key';

/**
 * The installation secret: 32 bytes from which every other secret value is derived, so that all nodes of one
 * installation come to the same results. It is never used itself: each purpose gets its own key by HKDF
 * (RFC 5869) with the purpose as `info`, so that what one part reveals says nothing about another.
 */
export class InstallationSecret {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    if (secret.length !== 32) throw new Error('bug: the installation secret has 32 bytes');
    this.#secret = secret;
  }

  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, Buffer.alloc(0), `rowpress/${purpose}`, 32));
  }

  /** A hash that only this installation can make: equal inputs are recognised, guesses cannot be tried. */
  keyedHash(purpose: string, data: string | Uint8Array): Buffer {
    return createHmac('sha256', this.derive(`hash/${purpose}`))
      .update(data)
      .digest();
  }

  box(purpose: string): SealedBox {
    return new SealedBox(this.derive(`box/${purpose}`));
  }

  /** Tells installations apart without telling the secret. */
  fingerprint(): string {
    return this.derive('fingerprint').toString('hex').slice(0, 32);
  }
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encryption at rest: AES-256-GCM with a random nonce (NIST SP 800-38D; far below its 2^32 messages per key).
 * Layout: version, nonce, ciphertext, tag. The version byte is authenticated too.
 */
export class SealedBox {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  seal(plain: string): Buffer {
    const head = Buffer.from([VERSION]);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(head);
    return Buffer.concat([head, nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  }

  /** Throws when the bytes were changed or were sealed by another installation. */
  open(box: Buffer): string {
    const head = box.subarray(0, 1);
    if (head[0] !== VERSION || box.length < 1 + NONCE_BYTES + TAG_BYTES)
      throw new Error('bug: not a sealed box');
    const nonce = box.subarray(1, 1 + NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(head).setAuthTag(box.subarray(-TAG_BYTES));
    const content = box.subarray(1 + NONCE_BYTES, -TAG_BYTES);
    return Buffer.concat([decipher.update(content), decipher.final()]).toString('utf8');
  }
}

/** From `ROWPRESS_SECRET_KEY`, else from `secret.key` in the data directory, which is made at first use. */
export async function loadInstallationSecret(settings: {
  readonly dataDir: string;
  readonly secretKey: string | undefined;
}): Promise<InstallationSecret> {
  if (settings.secretKey !== undefined)
    return new InstallationSecret(parseSecret(settings.secretKey, 'ROWPRESS_SECRET_KEY'));
  ensureDataDir(settings.dataDir);
  const path = join(settings.dataDir, SECRET_KEY_FILE);
  return new InstallationSecret(parseSecret(await ensureSecretFile(path), path));
}

function parseSecret(text: string, where: string): Buffer {
  const secret = /^[0-9a-fA-F]{64}$/.test(text)
    ? Buffer.from(text, 'hex')
    : /^[A-Za-z0-9+/_-]{43}=?$/.test(text)
      ? Buffer.from(text, 'base64')
      : undefined;
  if (secret?.length === 32) return secret;
  throw new OperatorError(
    `${where} must hold 32 bytes as 64 hexadecimal digits or as base64 (openssl rand -hex 32 makes one).`,
  );
}
