import { expect, test } from 'vitest';
import type { Claimed, Queue } from './queue.ts';
import { QueueWorker } from './queue-worker.ts';
import type { Signals } from './signals.ts';

test('[JOB13] a sign of life that waits for its row is not sent again, and holds up no other', async () => {
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
  const signals = { onWork: () => () => {} } as unknown as Signals;
  const worker = new QueueWorker<'slice'>({
    queue,
    signals,
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
