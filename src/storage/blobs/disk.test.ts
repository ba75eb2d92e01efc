import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeBlobStore } from './conformance.ts';
import { DiskBlobs } from './disk.ts';

function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'rp-blobs-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

describeBlobStore('disk', async () => DiskBlobs.open(makeRoot()));

test('[BLB8] a name that is not a digest: never used as a path', async () => {
  const root = makeRoot();
  const store = await DiskBlobs.open(root);
  for (const name of ['../../etc/passwd', '', 'A'.repeat(64), `${'a'.repeat(63)}/`])
    await expect(store.delete(name)).rejects.toThrow('bug: ');
  expect(readdirSync(root)).toEqual(['tmp']);
});
