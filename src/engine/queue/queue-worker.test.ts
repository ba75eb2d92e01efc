import { expect, test } from 'vitest';
import type { InstallationChore } from '#lib/ticker.ts';
import { startTestEngine } from '../../../test/support/engine.ts';
import { sumKind } from '../../../test/support/example-kind.ts';
import type { Services } from '../services.ts';
import type { Claimed, Queue } from './queue.ts';
import { QueueWorker } from './queue-worker.ts';
import type { Signals } from './signals.ts';

test('[JOB13] a heartbeat that waits for its row: not sent again, and delays no other', async () => {
  const [stuck, other] = ['stuck', 'other'].map((id) => ({ id }) as unknown as Claimed<'slice'>);
  const waiting = [stuck, other];
  const beats: unknown[] = [];
  const enough = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const queue = {
    heartbeatMs: 2,
    claim: async () => waiting.splice(0),
    heartbeat: (_name: string, [task]: readonly unknown[]) => {
      beats.push(task);
      if (beats.filter((beat) => beat === other).length === 5) enough.resolve();
      return task === stuck ? ended.promise : Promise.resolve();
    },
  } as unknown as Queue;
  const signals = { onWork: () => () => {}, workLeft() {} } as unknown as Signals;
  const worker = new QueueWorker<'slice'>({
    queue,
    signals,
    services: { available: async () => {} } as unknown as Services,
    needs: [],
    name: 'slice',
    concurrency: 2,
    handle: () => ended.promise,
    onError: (error) => {
      throw error;
    },
  });
  worker.start();
  await enough.promise;
  expect(beats.filter((beat) => beat === stuck)).toHaveLength(1);
  ended.resolve();
  await worker.stop(1_000);
});

/** A worker that runs a slice until it is aborted. */
async function inASlice(chores: readonly InstallationChore[] = []) {
  const begun = Promise.withResolvers<AbortSignal>();
  const kind = sumKind({
    beforeSlice: async (_n, _attempt, signal) => {
      begun.resolve(signal);
      await new Promise<void>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    },
  });
  const engine = await startTestEngine({ kind });
  engine.work({ chores });
  const input = { count: 1, sliceSize: 1 };
  await engine.engine.accept({ accountId: engine.accountId, kind: 'example.sum', input });
  return { engine, signal: await begun.promise };
}

test('[JOB16] a process that stops: gives its slice back before it exits', async () => {
  const { engine } = await inASlice();
  await engine.engine.stop(0);
  const { rows } = await engine.parts.database.pool.query(
    `select state from pgboss.job where name = 'slice'`,
  );
  expect(rows).toEqual([{ state: 'retry' }]);
  expect(engine.errors).toEqual([]);
});

test('[JOB16] a long periodic task during the stop: does not delay giving the slice back', async () => {
  const [running, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const run = () => {
    running.resolve();
    return ended.promise;
  };
  const { engine, signal } = await inASlice([{ name: 'long', everyMs: 1, run }]);
  await running.promise;
  const told = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const stopping = engine.engine.stop(0);
  await told;
  ended.resolve();
  await stopping;
  expect(signal.aborted).toBe(true);
});
