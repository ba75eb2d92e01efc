import { expect, test } from 'vitest';
import { SecretRing } from '#engine/secret-ring.ts';
import { InstallationSecret } from '#engine/secrets.ts';
import { issuerOf, makeDownloadToken } from './download-token.ts';

const [older, newer] = [1, 2].map((byte) => new InstallationSecret(Buffer.alloc(32, byte))) as [
  InstallationSecret,
  InstallationSecret,
];

function signers(ring: SecretRing) {
  const signLinkAll = (text: string) =>
    ring.keyedHashes('subscribers-download', text).map((hash) => hash.toString('base64url'));
  return { signLinkAll, signLink: (text: string) => signLinkAll(text)[0] ?? '' };
}

test('[SEC9] a download link from before a rotation: stays valid until the old secret is retired', () => {
  const token = makeDownloadToken(signers(new SecretRing([older])), 'job-1', 'key-1');
  const rotated = signers(new SecretRing([newer, older]));
  expect(issuerOf(rotated, 'job-1', token)).toBe('key-1');
  expect(issuerOf(rotated, 'job-2', token)).toBeUndefined();
  expect(issuerOf(signers(new SecretRing([newer])), 'job-1', token)).toBeUndefined();
  expect(makeDownloadToken(rotated, 'job-1', 'key-1')).not.toBe(token);
});
