import { createHmac, hkdfSync } from 'node:crypto';
import { type BoxKey, SealedBox } from './sealed-box.ts';

/**
 * The installation secret: 32 bytes from which every other secret value is derived, so that all nodes of one
 * installation compute the same results. It is never used directly: each purpose gets its own key by HKDF (RFC 5869)
 * with the purpose as `info`, so that one derived key reveals nothing about another.
 */
export class InstallationSecret {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    if (secret.length !== 32) throw new Error('bug: the installation secret must have 32 bytes');
    this.#secret = secret;
  }

  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, Buffer.alloc(0), `rowpress/${purpose}`, 32));
  }

  /** Computes a hash that only this installation can compute: equal inputs match, but guesses cannot be tested. */
  keyedHash(purpose: string, data: string | Uint8Array): Buffer {
    return createHmac('sha256', this.derive(`hash/${purpose}`))
      .update(data)
      .digest();
  }

  boxKey(purpose: string): BoxKey {
    return { id: keyIdOf(this.fingerprint()), key: this.derive(`box/${purpose}`) };
  }

  box(purpose: string): SealedBox {
    const keys = [this.boxKey(purpose)];
    return new SealedBox(() => keys);
  }

  /** Identifies the secret without revealing it. */
  fingerprint(): string {
    return this.derive('fingerprint').toString('hex').slice(0, 32);
  }
}

/** The start of the fingerprint, short enough to be stored with every sealed value. */
export function keyIdOf(fingerprint: string): Buffer {
  return Buffer.from(fingerprint.slice(0, 16), 'hex');
}
