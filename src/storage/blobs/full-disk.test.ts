import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { faultOf } from '#lib/errors/fault-of.ts';
import { DiskBlobs } from './disk.ts';

/** Mounts a 1 MiB file system in memory as a full disk. Outside most containers, mounting requires root. */
const mountPoint = mkdtempSync('/tmp/rp-full-');
const mounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mountPoint], { stdio: 'ignore' }).status === 0;
afterAll(() => {
  if (mounted) spawnSync('umount', [mountPoint]);
  rmSync(mountPoint, { recursive: true, force: true });
});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

test.runIf(mounted)(
  '[BLB10] a full disk: reported as such, without a partial blob or a temporary file',
  async () => {
    const root = join(mountPoint, 'blobs');
    const store = await DiskBlobs.open(root);
    const kept = await store.receive(once(randomBytes(300_000)));
    await kept.keep();
    const tooLarge = randomBytes(2_000_000);
    const failure = await store.receive(once(tooLarge)).catch((error: unknown) => error);
    expect(faultOf(failure)).toBe('storageFull');
    expect(readdirSync(join(root, 'tmp'))).toEqual([]);
    expect(await store.has(createHash('sha256').update(tooLarge).digest('hex'))).toBe(false);

    let read = 0;
    for await (const part of store.read(kept.digest)) read += part.length;
    expect(read).toBe(300_000);
    const next = await store.receive(once(randomBytes(300_000)));
    await next.keep();
    expect(await store.has(next.digest)).toBe(true);
  },
);
