import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { faultOf } from '#lib/errors/fault-of.ts';
import { FairTurnstile } from '#lib/fair-turnstile.ts';
import { DEFAULT_ROW_LIMITS } from '#lib/rows/read-rows.ts';
import { RowReaders } from '../threads/row-readers.ts';
import { normaliseRows } from './normalise-rows.ts';

/** A real full disk: a 1 MiB file system in memory. Outside most containers, mounting it requires root. */
const mountPoint = mkdtempSync('/tmp/rp-rows-full-');
const mounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mountPoint], { stdio: 'ignore' }).status === 0;
const directory = mkdtempSync(join(tmpdir(), 'rp-rows-'));
afterAll(() => {
  if (mounted) spawnSync('umount', [mountPoint]);
  for (const path of [mountPoint, directory]) rmSync(path, { recursive: true, force: true });
});

test.runIf(mounted)(
  '[BLB10] a disk that fills up while rows are written: the rows are rejected',
  async () => {
    const path = join(directory, 'rows.csv');
    // One large write: the system writes what fits and reports no error.
    writeFileSync(path, `${'x'.repeat(999)}\n`.repeat(1_045));
    const source = { path, format: 'csv', header: false, limits: DEFAULT_ROW_LIMITS } as const;
    const order = { ...source, output: join(mountPoint, 'rows') };
    const line = new FairTurnstile({ size: 1, maxWaitMs: 60_000, maxWaiting: 1 });
    const readers = new RowReaders(line, 60_000);
    onTestFinished(() => readers.close());
    const turn = { owner: 'account', signal: new AbortController().signal };
    for (const read of [normaliseRows, (again: typeof order) => readers.normalise(again, turn)]) {
      const failure = await read(order).catch((error: unknown) => error);
      expect(faultOf(failure)).toBe('storageFull');
    }
  },
);
