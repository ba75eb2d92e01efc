import { createCipheriv, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sealedUnder, UnknownKey } from './sealed-box.ts';
import { loadSecretRing, SecretRing } from './secret-ring.ts';
import { InstallationSecret } from './secrets.ts';

const [older, newer] = [7, 9].map((byte) => new InstallationSecret(Buffer.alloc(32, byte))) as [
  InstallationSecret,
  InstallationSecret,
];

test('[SEC6] a sealed value: contains the id of the secret that sealed it', () => {
  const sealed = newer.box('webhook').seal('x');
  expect(sealedUnder(sealed)).toBe(newer.fingerprint().slice(0, 16));
  expect(sealedUnder(older.box('webhook').seal('x'))).not.toBe(sealedUnder(sealed));
});

test('[SEC6] a replaced secret: still opens; the current one seals', () => {
  const sealed = older.box('webhook').seal('before');
  const box = new SecretRing([newer, older]).box('webhook');
  expect(box.open(sealed)).toBe('before');
  expect(sealedUnder(box.seal('after'))).toBe(newer.fingerprint().slice(0, 16));
  expect(() => new SecretRing([newer]).box('webhook').open(sealed)).toThrow(UnknownKey);
});

test('[SEC6] a value from before key ids: opens with any secret of the ring, and with no other', () => {
  const nonce = randomBytes(12);
  const head = Buffer.from([1]);
  const cipher = createCipheriv('aes-256-gcm', older.derive('box/webhook'), nonce).setAAD(head);
  const sealed = Buffer.concat([
    head,
    nonce,
    cipher.update('first format'),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  expect(new SecretRing([newer, older]).box('webhook').open(sealed)).toBe('first format');
  expect(() => new SecretRing([newer]).box('webhook').open(sealed)).toThrow();
  sealed.writeUInt8(sealed.readUInt8(20) ^ 1, 20);
  expect(() => new SecretRing([newer, older]).box('webhook').open(sealed)).toThrow();
});

test('[SEC7] a secret that a command added to secret.key: a running process opens its values without a restart', async () => {
  const dataDir = mkdtempSync('/tmp/rp-ring-');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const path = join(dataDir, 'secret.key');
  const [first, second] = ['07', '09'].map((byte) => byte.repeat(32));
  writeFileSync(path, `${first}\n`);
  const box = (await loadSecretRing({ dataDir, secretKey: undefined, secretKeyPrevious: [] })).box('webhook');
  const sealed = newer.box('webhook').seal('from the command');
  expect(() => box.open(sealed)).toThrow(UnknownKey);
  writeFileSync(path, `${second}\n${first}\n`);
  expect(box.open(sealed)).toBe('from the command');
  expect(sealedUnder(box.seal('x'))).toBe(older.fingerprint().slice(0, 16));
});
