import { expect, test } from 'vitest';
import type { BuiltSurfaces } from './build-surfaces.ts';
import type { OpenStorage } from './open-storage.ts';
import type { StartContext } from './start-context.ts';
import type { RunningEngine } from './start-engine.ts';
import { settlesAtOnce, startWorkers } from './start-workers.ts';

test('[BLB40] a node without workers: sweeps its own files, and runs no chore of the installation', async () => {
  const swept = Promise.withResolvers<void>();
  const refuse = async () => {
    throw new Error('an API node ran a chore of the installation');
  };
  const errors: unknown[] = [];
  const built = {
    chores: [{ everyMs: 1, run: refuse }],
    localChores: [{ everyMs: 1, run: async () => swept.resolve() }],
  };
  const workers = startWorkers(
    {
      config: { role: 'api' },
      background: { note: (error: unknown) => errors.push(error) },
    } as unknown as StartContext,
    { database: {}, store: {} } as OpenStorage,
    { engine: { startWorkers: refuse, stopWorkers: async () => {} } } as unknown as RunningEngine,
    { all: [{ spec: { name: 'example' }, built }] } as unknown as BuiltSurfaces,
  );
  await swept.promise;
  await workers.close();
  expect(errors).toEqual([]);
});

test('[JOB35] jobs that settle at the same time: as many as workers, within the connections of the process', () => {
  const settles = (workers: number, databasePool: number) => settlesAtOnce({ workers, databasePool });
  expect([settles(1, 16), settles(3, 16), settles(64, 16), settles(64, 100), settles(4, 2)]).toEqual([
    2, 3, 4, 25, 2,
  ]);
});
