import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { joinInstallation } from './installation.ts';
import { loadSecretRing } from './secret-ring.ts';
import { InstallationSecret } from './secrets.ts';

const HEX = 'ab'.repeat(32);

function temporaryDir(): string {
  const dir = mkdtempSync('/tmp/rp-secrets-');
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const from = async (secretKey: string) =>
  (await loadSecretRing({ dataDir: '/nowhere', secretKey, secretKeyPrevious: [] })).current;

test('[SEC1] one secret in hexadecimal or base64: the same installation', async () => {
  const hex = await from(HEX);
  const base64 = await from(Buffer.from(HEX, 'hex').toString('base64'));
  expect(base64.fingerprint()).toBe(hex.fingerprint());
  expect((await from('cd'.repeat(32))).fingerprint()).not.toBe(hex.fingerprint());
  expect(hex.fingerprint()).not.toContain(HEX.slice(0, 8));
});

test('[SEC1] a value that is not 32 bytes: rejected by name, without repeating it', async () => {
  for (const bad of ['short', `${HEX}0`, HEX.slice(2), 'x'.repeat(64)]) {
    const loading = from(bad);
    await expect(loading).rejects.toThrow(OperatorError);
    await expect(loading).rejects.toThrow(/^ROWPRESS_SECRET_KEY must be 32 bytes/);
    await expect(loading).rejects.not.toThrow(bad);
  }
});

test('[SEC2] without the setting: one private secret is created in the data directory, even by concurrent processes', async () => {
  const dataDir = join(temporaryDir(), 'data');
  const load = async () =>
    (await loadSecretRing({ dataDir, secretKey: undefined, secretKeyPrevious: [] })).current;
  const made = await Promise.all(Array.from({ length: 10 }, load));
  expect(new Set(made.map((secret) => secret.fingerprint())).size).toBe(1);
  expect((await load()).fingerprint()).toBe(made[0]?.fingerprint());
  expect(readdirSync(dataDir)).toEqual(['secret.key']);
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
});

test('[SEC2] a damaged secret.key: reported, not replaced', async () => {
  const dataDir = temporaryDir();
  const path = join(dataDir, 'secret.key');
  writeFileSync(path, 'half\n');
  await expect(loadSecretRing({ dataDir, secretKey: undefined, secretKeyPrevious: [] })).rejects.toThrow(
    path,
  );
});

test('[SEC3] a sealed value: opens; any changed byte is rejected', () => {
  const box = new InstallationSecret(Buffer.from(HEX, 'hex')).box('webhooks');
  const sealed = box.seal('whsec_ünïcode');
  expect(box.open(sealed)).toBe('whsec_ünïcode');
  expect(box.seal('whsec_ünïcode').equals(sealed)).toBe(false);
  expect(sealed.includes('whsec')).toBe(false);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(() => box.open(changed)).toThrow();
  }
  expect(() => box.open(sealed.subarray(0, -1))).toThrow();
  expect(() => box.open(Buffer.alloc(0))).toThrow();
});

test('[SEC3] another installation or another purpose: cannot open the value', () => {
  const secret = new InstallationSecret(Buffer.from(HEX, 'hex'));
  const sealed = secret.box('webhooks').seal('x');
  expect(() => secret.box('other').open(sealed)).toThrow();
  expect(() => new InstallationSecret(Buffer.alloc(32)).box('webhooks').open(sealed)).toThrow();
});

test('[SEC4] keyed hashes: equal on all nodes of one installation, and nowhere else', () => {
  const node = () => new InstallationSecret(Buffer.from(HEX, 'hex'));
  const hash = node().keyedHash('webhook-secret', 'a');
  expect(node().keyedHash('webhook-secret', 'a')).toEqual(hash);
  expect(node().keyedHash('webhook-secret', 'b')).not.toEqual(hash);
  expect(node().keyedHash('other', 'a')).not.toEqual(hash);
  expect(new InstallationSecret(Buffer.alloc(32)).keyedHash('webhook-secret', 'a')).not.toEqual(hash);
});

test('[SEC5] a node that differs from its installation: rejected, and every variable is named', async () => {
  const { db } = await openTestDatabase();
  const marks = { blobStore: 'b', secretKey: 's', sealKey: 'l' };
  await Promise.all([joinInstallation(db, marks), joinInstallation(db, marks)]);
  await joinInstallation(db, marks);
  await expect(joinInstallation(db, { ...marks, blobStore: 'x' })).rejects.toThrow(/set ROWPRESS_BLOBS/);
  const twice = joinInstallation(db, { ...marks, secretKey: 'x', sealKey: 'x' });
  await expect(twice).rejects.toThrow(/ROWPRESS_SECRET_KEY.*ROWPRESS_SEAL_KEY/);
  await expect(twice).rejects.toThrow(OperatorError);
  await joinInstallation(db, marks);
});
