import { expect, test } from 'vitest';
import { startTestEngine } from '../../../test/support/engine.ts';
import { sumKind } from '../../../test/support/example-kind.ts';
import type { Chore } from '../../lib/ticker.ts';

/** A worker in the middle of a slice that ends only when it is told to. */
async function inASlice(chores: readonly Chore[] = []) {
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

test('[JOB16] a process that stops gives its slice back before it is gone', async () => {
  const { engine } = await inASlice();
  await engine.engine.stop(0);
  const { rows } = await engine.parts.database.pool.query(
    `select state from pgboss.job where name = 'slice'`,
  );
  expect(rows).toEqual([{ state: 'retry' }]);
  expect(engine.errors).toEqual([]);
});

test('[JOB16] a chore that takes long does not keep it from doing so', async () => {
  const [running, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const run = () => {
    running.resolve();
    return ended.promise;
  };
  const { engine, signal } = await inASlice([{ everyMs: 1, run }]);
  await running.promise;
  const told = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const stopping = engine.engine.stop(0);
  await told;
  ended.resolve();
  await stopping;
  expect(signal.aborted).toBe(true);
});
