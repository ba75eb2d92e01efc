import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_ROW_LIMITS } from '../../lib/rows/read-rows.ts';
import { FillThreads } from './fill-threads.ts';

test('a thread that died while nobody used it is replaced', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rp-threads-'));
  const threads = new FillThreads(1);
  const workers: Worker[] = [];
  const hear = (worker: Worker) => void workers.push(worker);
  process.on('worker', hear);
  onTestFinished(async () => {
    process.off('worker', hear);
    await threads.close();
    rmSync(directory, { recursive: true });
  });
  const path = join(directory, 'rows.csv');
  writeFileSync(path, 'a,b\nc,d\n');
  const source = { path, format: 'csv', header: false, limits: DEFAULT_ROW_LIMITS } as const;
  const normalise = () => threads.normalise({ ...source, output: join(directory, 'rows') });

  expect(await normalise()).toMatchObject({ ok: true, count: 2 });
  await workers[0]?.terminate();
  expect(await normalise()).toMatchObject({ ok: true, count: 2 });
  expect(workers).toHaveLength(2);
});
