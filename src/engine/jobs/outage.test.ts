import { expect, test } from 'vitest';
import { BlobStoreError } from '#storage/blobs/blob-store-error.ts';
import { count, startTestEngine, type TestEngine } from '../../../test/support/engine.ts';
import { sumKind } from '../../../test/support/example-kind.ts';

const WAIT_MS = 30_000;
const down = () => new BlobStoreError('unavailable', 'the store is down');

/** A blob store that the kind and the probe use, and that a test switches off. */
function switchedStore() {
  let isDown = true;
  let calls = 0;
  const probes = Promise.withResolvers<void>();
  const use = async () => {
    calls += 1;
    if (isDown) throw down();
  };
  let probed = 0;
  const probe = async () => {
    probed += 1;
    if (probed === 5) probes.resolve();
    await use();
  };
  return {
    use,
    probe,
    calls: () => calls,
    /** Resolves when the outage has lasted for five probes. */
    lasting: probes.promise,
    on: () => {
      isDown = false;
    },
  };
}

async function accept(engine: TestEngine, slices = 1) {
  const answer = await engine.engine.accept({
    accountId: engine.accountId,
    kind: 'example.sum',
    input: { count: slices, sliceSize: 1 },
  });
  if (answer.outcome !== 'accepted') throw new Error(`expected an accepted job, got ${answer.outcome}`);
  return answer.job;
}

test.each(['runSlice', 'finish'] as const)(
  '[JOB20] the store is unavailable in %s at the last attempt: the attempt does not count, and the job completes',
  async (step) => {
    const store = switchedStore();
    const usual = sumKind();
    const kind = {
      ...usual,
      [step]: async (work: never) => {
        await store.use();
        return usual[step](work) as never;
      },
    };
    const engine = await startTestEngine({
      kind,
      services: { probes: { database: async () => {}, blobs: store.probe } },
    });
    const job = await accept(engine);
    await engine.parts.database.pool.query('update slices set attempt = 19');
    await engine.parts.database.pool.query('update jobs set settle_attempt = 19');
    engine.work();
    await store.lasting;
    expect(engine.parts.services.outages).toMatchObject([{ service: 'blobs' }]);
    store.on();
    expect(await engine.engine.wait(job.id, WAIT_MS)).toMatchObject({ state: 'completed' });
  },
);

test('[JOB20] the database is unavailable at the last attempt: the attempt is excused once it responds', async () => {
  let failing = 3;
  const database = async () => {
    if (failing-- > 0) throw new Error('connect ECONNREFUSED');
  };
  let runs = 0;
  const kind = sumKind({
    beforeSlice: () => {
      runs += 1;
      if (runs === 1) throw new Error('Connection terminated unexpectedly');
    },
  });
  const engine = await startTestEngine({ kind, services: { probes: { database, blobs: async () => {} } } });
  const job = await accept(engine);
  await engine.parts.database.pool.query('update slices set attempt = 19');
  engine.work();
  expect(await engine.engine.wait(job.id, WAIT_MS)).toMatchObject({ state: 'completed' });
  expect(await count(engine, 'select excused from slices')).toBe(1);
});

test('[JOB21] the store is unavailable: no slice is claimed until it responds, and then all run', async () => {
  const store = switchedStore();
  let runs = 0;
  const kind = sumKind({
    beforeSlice: async () => {
      runs += 1;
      await store.use();
    },
  });
  const engine = await startTestEngine({
    kind,
    services: { probes: { database: async () => {}, blobs: store.probe } },
  });
  engine.work({ slices: 2 });
  const job = await accept(engine, 12);
  await store.lasting;
  expect(runs).toBeLessThanOrEqual(4);
  store.on();
  expect(await engine.engine.wait(job.id, WAIT_MS)).toMatchObject({ state: 'completed' });
});

test('[JOB20] a slice that times out while the store hangs: the time-out does not count', async () => {
  const store = switchedStore();
  const kind = sumKind({
    beforeSlice: (_n, _attempt, signal) =>
      store
        .use()
        .catch(
          () =>
            new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
        ),
  });
  const engine = await startTestEngine({
    kind,
    settings: { sliceTimeoutMs: 50 },
    services: { probes: { database: async () => {}, blobs: store.probe } },
  });
  const job = await accept(engine);
  await engine.parts.database.pool.query('update slices set timeouts = 2');
  engine.work();
  await store.lasting;
  store.on();
  expect(await engine.engine.wait(job.id, WAIT_MS)).toMatchObject({ state: 'completed' });
  expect(await count(engine, 'select timeouts from slices')).toBe(2);
});

test('[JOB20] the store reports a fault that no probe confirms: the attempt does not count, up to a limit', async () => {
  const kind = sumKind({
    beforeSlice: () => {
      throw down();
    },
  });
  const engine = await startTestEngine({ kind });
  const job = await accept(engine);
  await engine.parts.database.pool.query('update slices set attempt = 1018, excused = 999');
  engine.work();
  expect(await engine.engine.wait(job.id, WAIT_MS)).toMatchObject({ state: 'failed', error_code: 'GAVE_UP' });
  // Attempt 1019 is excused. Attempt 1020 is the 20th that counts, and the last.
  expect(await count(engine, 'select excused from slices')).toBe(1000);
});

test('[JOB20] a slice that fails by itself beside an earlier outage: is given up after 20 attempts that count', async () => {
  const kind = sumKind({
    beforeSlice: () => {
      throw new Error('this slice never works');
    },
  });
  const engine = await startTestEngine({ kind });
  const job = await accept(engine);
  await engine.parts.database.pool.query('update slices set attempt = 29, excused = 10');
  engine.work();
  expect(await engine.engine.wait(job.id, WAIT_MS)).toMatchObject({ state: 'failed', error_code: 'GAVE_UP' });
  expect(await count(engine, 'select attempt from slices')).toBe(31);
});
