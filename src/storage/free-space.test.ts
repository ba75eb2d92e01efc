import { tmpdir } from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { faultOf } from '#lib/errors/fault-of.ts';
import { FreeSpace, type MeasureDisk } from './free-space.ts';

const disks =
  (free: Readonly<Record<string, number>>): MeasureDisk =>
  async (directory) => {
    const freeBytes = free[directory];
    if (freeBytes === undefined) throw new Error('no such directory');
    return { freeBytes, totalBytes: 1000 };
  };

test('[BLB31] a disk below its floor: rejected as full storage; the fullest directory counts', async () => {
  const measure = disks({ data: 900, blobs: 99 });
  const failure = await new FreeSpace(['data', 'blobs'], 100, measure)
    .check()
    .catch((error: unknown) => error);
  expect(faultOf(failure)).toBe('storageFull');
  await new FreeSpace(['data', 'blobs'], 99, measure).check();
  await new FreeSpace(['data'], 100, measure).check();
});

test('[BLB31] no floor, or a disk that cannot be measured: nothing is rejected', async () => {
  await new FreeSpace(['blobs'], 0, disks({ blobs: 0 })).check();
  const unknown = new FreeSpace(['elsewhere'], 100, disks({}));
  await unknown.check();
  expect(await unknown.freeBytes()).toBeUndefined();
});

test('[BLB31] a body that arrives while the disk fills up: is cut off', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let free = 1000;
  const clocked = new FreeSpace(['blobs'], 100, async () => ({ freeBytes: free, totalBytes: 1000 }));
  async function* body() {
    yield new Uint8Array(1);
    free = 0;
    // Longer than a measurement is used, and more bytes than one stride.
    vi.advanceTimersByTime(1_100);
    yield new Uint8Array(9_000_000);
    yield new Uint8Array(1);
  }
  let passed = 0;
  const read = async () => {
    for await (const chunk of clocked.guarded(body())) passed += chunk.length;
  };
  expect(faultOf(await read().catch((error: unknown) => error))).toBe('storageFull');
  expect(passed).toBe(9_000_001);
});

test('[BLB31] a real disk: measured', async () => {
  expect(await new FreeSpace([tmpdir()], 1).freeBytes()).toBeGreaterThan(0);
});
