import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { publicKeyOf } from '../package/signed-statement.ts';
import { manifestSignature, signerOf } from './manifest-signature.ts';

const key = new Uint8Array(32).fill(7);
const digest = 'ab'.repeat(32);

describe('manifest.sig', () => {
  const text = manifestSignature(digest, key);

  it('[FILL280] the same manifest and key: the same text, which names the key', () => {
    expect(manifestSignature(digest, new Uint8Array(32).fill(7))).toBe(text);
    expect(signerOf(text, digest)).toBe(publicKeyOf(key));
  });

  it('[FILL280] another implementation of Ed25519: verifies the text without its signature', () => {
    const { signature, public_key } = JSON.parse(text);
    const x = Buffer.from(public_key, 'hex').toString('base64url');
    const other = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const signed = text.replace(`,"signature":"${signature}"`, '');
    expect(verify(null, Buffer.from(signed), other, Buffer.from(signature, 'hex'))).toBe(true);
  });

  it('[FILL280] any changed character, another manifest, another form: not a signature', () => {
    for (let at = 0; at < text.length; at += 1) {
      const changed = `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`;
      expect(signerOf(changed, digest)).toBeNull();
    }
    expect(signerOf(text, 'ac'.repeat(32))).toBeNull();
    for (const other of ['', '{}', 'null', ` ${text}`, `${text}\n`, text.replace(',', ', ')])
      expect(signerOf(other, digest)).toBeNull();
  });
});
