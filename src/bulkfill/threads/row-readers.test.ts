import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { FairTurnstile, WorkAbandoned } from '#lib/fair-turnstile.ts';
import { DEFAULT_ROW_LIMITS } from '#lib/rows/read-rows.ts';
import { RowReaders } from './row-readers.ts';

/** Row readers with one thread, and the threads they start. */
function scene({ maxMs = 60_000 } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'rp-row-readers-'));
  const readers = new RowReaders(new FairTurnstile({ size: 1, maxWaitMs: 60_000, maxWaiting: 9 }), maxMs);
  const workers: Worker[] = [];
  const note = (worker: Worker) => void workers.push(worker);
  process.on('worker', note);
  onTestFinished(async () => {
    process.off('worker', note);
    await readers.close();
    rmSync(directory, { recursive: true });
  });
  const path = join(directory, 'rows.csv');
  writeFileSync(path, 'a,b\nc,d\n');
  const source = { path, format: 'csv', header: false, limits: DEFAULT_ROW_LIMITS } as const;
  const normalise = (signal = new AbortController().signal) =>
    readers.normalise({ ...source, output: join(directory, 'rows') }, { owner: 'account', signal });
  return { normalise, workers, path };
}

test('[LIM24] a row reader that died while it was idle: is replaced', async () => {
  const { normalise, workers } = scene();
  expect(await normalise()).toMatchObject({ ok: true, count: 2 });
  await workers[0]?.terminate();
  expect(await normalise()).toMatchObject({ ok: true, count: 2 });
  expect(workers).toHaveLength(2);
});

test('[LIM24] rows that take longer than the deadline: rejected with the limit, and their thread ends', async () => {
  // A thread takes far longer than a millisecond to start.
  const { normalise, workers } = scene({ maxMs: 1 });
  expect(await normalise()).toEqual({
    ok: false,
    code: 'ROWS_TOO_LARGE',
    message:
      'The rows take longer than 1 ms to read. Send fewer rows, or ask the operator to raise ROWPRESS_ROWS_TIMEOUT_MS.',
    costly: true,
  });
  // -1: the thread has ended.
  expect(workers.map(({ threadId }) => threadId)).toEqual([-1]);
});

test('[LIM22] a client that disconnects while its rows are read: the thread ends and the next rows get a new one', async () => {
  const { normalise, workers } = scene();
  const gone = new AbortController();
  const left = normalise(gone.signal);
  const next = normalise();
  gone.abort();
  await expect(left).rejects.toBeInstanceOf(WorkAbandoned);
  expect(workers.map(({ threadId }) => threadId)).toEqual([-1]);
  expect(await next).toMatchObject({ ok: true, count: 2 });
  expect(workers).toHaveLength(2);
});

test.runIf(process.platform === 'linux')(
  '[LIM52] rows of more than a megabyte: read by a thread of lower priority, which others do not get',
  async () => {
    const { normalise, workers, path } = scene();
    const nice = () =>
      readdirSync('/proc/self/task').filter((thread) => {
        try {
          return getPriority(Number(thread)) > 0;
        } catch {
          return false;
        }
      }).length;
    expect(nice()).toBe(0);
    writeFileSync(path, `${'a'.repeat(24)},b\n`.repeat(50_000));
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, nice());
    }, 5);
    expect(await normalise()).toMatchObject({ ok: true, count: 50_000 });
    clearInterval(watch);
    expect(most).toBeGreaterThan(0);
    expect(workers.map(({ threadId }) => threadId)).toEqual([-1]);
    writeFileSync(path, 'a,b\n');
    expect(await normalise()).toMatchObject({ ok: true, count: 1 });
    expect(nice()).toBe(0);
  },
);
