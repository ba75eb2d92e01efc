import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#storage/database.ts';
import { createDatabase } from '../../../test/support/database.ts';
import { Signals } from './signals.ts';

const WORKERS = 8;

/** Starts processes that share a database, and waits until the first of them has received the others' announcements. */
async function startProcesses(wakes: readonly (() => boolean)[]): Promise<Signals[]> {
  const address = await createDatabase();
  const all = await Promise.all(
    [undefined, ...wakes].map(async () => {
      const database = openDatabase(address, 2, () => {});
      const signals = new Signals(database.pool, (error) => {
        throw error;
      });
      await signals.start(address);
      onTestFinished(async () => {
        await signals.close();
        await database.close();
      });
      return signals;
    }),
  );
  const [first, ...workers] = all as [Signals, ...Signals[]];
  await Promise.all(
    workers.map(async (worker, i) => {
      const heard = hear(first, `worker-${i}`);
      worker.onWork('slice', wakes[i] ?? (() => true));
      worker.jobChanged(`worker-${i}`);
      await heard;
    }),
  );
  return all;
}

/** Signals arrive in the order in which they were sent. */
function hear(signals: Signals, jobId: string): Promise<void> {
  return new Promise((resolve) => {
    signals.onJob(jobId, () => resolve());
  });
}

function counters(count: number) {
  const woken = Array.from({ length: count }, () => 0);
  const wakes = woken.map((_, i) => () => {
    woken[i] = (woken[i] ?? 0) + 1;
    return true;
  });
  return { woken, wakes };
}

test('[JOB32] work is added, eight processes are free: each piece wakes one of them', async () => {
  const { woken, wakes } = counters(WORKERS);
  const [first, ...workers] = (await startProcesses(wakes)) as [Signals, ...Signals[]];
  const heard = workers.map((worker) => hear(worker, 'end'));
  first.workAdded('slice');
  first.jobChanged('end');
  await Promise.all(heard);
  expect(woken.reduce((sum, n) => sum + n, 0)).toBe(1);
  const again = workers.map((worker) => hear(worker, 'second end'));
  for (let i = 1; i < WORKERS; i += 1) first.workAdded('slice');
  first.jobChanged('second end');
  await Promise.all(again);
  expect(woken).toEqual(woken.map(() => 1));
});

test('[JOB32] work is added by a process that is free: no other is woken', async () => {
  const { woken, wakes } = counters(2);
  const [first, ...workers] = (await startProcesses(wakes)) as [Signals, ...Signals[]];
  let own = 0;
  first.onWork('slice', () => {
    own += 1;
    return true;
  });
  const heard = workers.map((worker) => hear(worker, 'end'));
  first.workAdded('slice');
  first.jobChanged('end');
  await Promise.all(heard);
  expect({ own, woken }).toEqual({ own: 1, woken: [0, 0] });
});

test('[JOB32] a busy process is woken: passes the hint on to a free one', async () => {
  const { woken, wakes } = counters(1);
  const [first] = (await startProcesses([() => false, ...wakes])) as [Signals, ...Signals[]];
  // Each process receives the hint of one piece.
  first.workAdded('slice');
  first.workAdded('slice');
  await expect.poll(() => woken[0], { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
});
