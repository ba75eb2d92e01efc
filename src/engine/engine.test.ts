import { describe, expect, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import { count, startTestEngine, type TestEngine } from '../../test/support/engine.ts';
import { type SumInput, sumKind } from '../../test/support/example-kind.ts';
import type { Accepted, AcceptRequest } from './requests/accept-job.ts';

const digest = (text: string) => Buffer.from(text.padEnd(32, '.'));

function sumRequest(
  engine: TestEngine,
  input: SumInput,
  key?: string,
  body = 'body',
  overrides: Partial<AcceptRequest> = {},
): AcceptRequest {
  const identity =
    key === undefined
      ? {}
      : {
          identity: {
            scope: 'example',
            key,
            windowSeconds: 86_400,
            bodyDigest: digest(body),
            bodyParts: { rows: body },
          },
        };
  return { accountId: engine.accountId, kind: 'example.sum', input, ...identity, ...overrides };
}

function accepted(answer: Accepted): JobRecord {
  if (answer.outcome !== 'accepted') throw new Error(`expected an accepted job, got ${answer.outcome}`);
  return answer.job;
}

const effects = (engine: TestEngine, jobId: string) =>
  count(engine, 'select count(*) from example_effects where job_id = $1', [jobId]);

describe('jobs', () => {
  test('[JOB1] an accepted job: queued, run in slices, completed with the outcome of its kind', async () => {
    const engine = await startTestEngine();
    const job = accepted(await engine.engine.accept(sumRequest(engine, { count: 10, sliceSize: 3 })));
    expect(job.state).toBe('queued');
    engine.work();
    const done = await engine.engine.wait(job.id, 20_000);
    expect(done).toMatchObject({
      state: 'completed',
      outcome: { sum: 55 },
      slices_total: 4,
      slices_done: 4,
      rows_done: 10,
      rows_failed: 0,
    });
    expect(await effects(engine, job.id)).toBe(4);
    expect(engine.errors).toEqual([]);
  });

  test('[JOB2] an ordered job: runs one slice at a time, in order', async () => {
    const seen: number[] = [];
    let running = 0;
    let mostAtOnce = 0;
    const kind = sumKind({
      beforeSlice: async (n) => {
        mostAtOnce = Math.max(mostAtOnce, ++running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        seen.push(n);
        running -= 1;
      },
    });
    const engine = await startTestEngine({ kind });
    engine.work({ slices: 4 });
    const job = accepted(
      await engine.engine.accept(sumRequest(engine, { count: 12, sliceSize: 2, ordered: true })),
    );
    expect((await engine.engine.wait(job.id, 20_000)).state).toBe('completed');
    expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
    expect(mostAtOnce).toBe(1);
  });

  test('[JOB3] a job without slices: settles', async () => {
    const engine = await startTestEngine();
    engine.work();
    const job = accepted(await engine.engine.accept(sumRequest(engine, { count: 0, sliceSize: 3 })));
    expect(await engine.engine.wait(job.id, 20_000)).toMatchObject({
      state: 'completed',
      outcome: { sum: 0 },
    });
  });

  test('[JOB4] the fail limit is reached: later slices are dropped, earlier ones still run', async () => {
    const ran: number[] = [];
    const gate = Promise.withResolvers<void>();
    const kind = sumKind({
      beforeSlice: async (n) => {
        ran.push(n);
        if (n === 0) await gate.promise;
      },
    });
    const engine = await startTestEngine({ kind });
    engine.work({ slices: 2 });
    const job = accepted(
      await engine.engine.accept(
        sumRequest(engine, { count: 100, sliceSize: 10, failing: [11, 12, 13], failLimit: 3 }),
      ),
    );
    await expect.poll(() => count(engine, "select count(*) from slices where state = 'dropped'")).toBe(8);
    gate.resolve();
    const done = await engine.engine.wait(job.id, 20_000);
    expect(done).toMatchObject({ state: 'failed', error_code: 'TOO_MANY_FAILED', slices_done: 10 });
    expect(ran.filter((n) => n > 2)).toEqual([]);
  });

  test('[JOB5] cancel: ends an open job once, leaves a settled one unchanged', async () => {
    const engine = await startTestEngine();
    const job = accepted(
      await engine.engine.accept(sumRequest(engine, { count: 4, sliceSize: 2, announce: true })),
    );
    expect(await engine.engine.cancel(job.id)).toBe(true);
    expect(await engine.engine.cancel(job.id)).toBe(false);
    engine.work();
    const done = await engine.engine.wait(job.id, 1_000);
    expect(done).toMatchObject({ state: 'failed', error_code: 'CANCELLED', cancelled: true });
    expect(engine.events.map((event) => event.type)).toEqual(['example.failed']);
    expect(await effects(engine, job.id)).toBe(0);
  });

  test('[JOB6] a slice that always fails: ends the job after 20 attempts', async () => {
    const kind = sumKind({
      beforeSlice: () => {
        throw new Error('this slice never works');
      },
    });
    const engine = await startTestEngine({ kind });
    const job = accepted(await engine.engine.accept(sumRequest(engine, { count: 1, sliceSize: 1 })));
    await engine.parts.database.pool.query('update slices set attempt = 19');
    engine.work();
    const done = await engine.engine.wait(job.id, 20_000);
    expect(done).toMatchObject({ state: 'failed', error_code: 'GAVE_UP' });
  });

  test.each(['runSlice', 'finish'] as const)(
    '[SEC19] damaged data at the third attempt (%s): ends the job, and the log names what is damaged',
    async (step) => {
      const damage = new SurroundingsError('damaged', 'The blob x is damaged.');
      const kind = { ...sumKind(), [step]: () => Promise.reject(damage) };
      const engine = await startTestEngine({ kind });
      const job = accepted(await engine.engine.accept(sumRequest(engine, { count: 1, sliceSize: 1 })));
      await engine.parts.database.pool.query('update slices set attempt = 2');
      await engine.parts.database.pool.query('update jobs set settle_attempt = 2');
      engine.work();
      const done = await engine.engine.wait(job.id, 20_000);
      expect(done).toMatchObject({ state: 'failed', error_code: 'GAVE_UP' });
      await expect.poll(() => engine.errors).toEqual([damage]);
    },
  );

  test('[JOB7] three timeouts of one slice: end the job', async () => {
    const kind = sumKind({
      beforeSlice: (_n, _attempt, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    });
    const engine = await startTestEngine({ kind, settings: { sliceTimeoutMs: 50 } });
    engine.work();
    const job = accepted(await engine.engine.accept(sumRequest(engine, { count: 1, sliceSize: 1 })));
    const done = await engine.engine.wait(job.id, 25_000);
    expect(done).toMatchObject({ state: 'failed', error_code: 'GAVE_UP' });
    expect(await count(engine, 'select timeouts from slices')).toBe(3);
  });

  test('[JOB8] a result of an earlier attempt: rejected, with its effects', async () => {
    const late = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const kind = sumKind({
      beforeSlice: async (_n, attempt) => {
        if (attempt > 1) return;
        begun.resolve();
        await late.promise;
      },
    });
    const engine = await startTestEngine({ kind });
    engine.work({ slices: 2 });
    const job = accepted(await engine.engine.accept(sumRequest(engine, { count: 2, sliceSize: 2 })));
    await begun.promise;
    // The queue considers the first worker dead and hands the slice out again.
    await engine.parts.database.db
      .transaction()
      .execute((tx) => engine.parts.queue.addSlices(tx, job.id, [0], 0));
    engine.parts.signals.workAdded('slice');
    expect((await engine.engine.wait(job.id, 20_000)).state).toBe('completed');
    late.resolve();
    await engine.stop();
    const { rows } = await (await startTestEngine({ address: engine.address })).parts.database.pool.query(
      'select attempt from example_effects',
    );
    expect(rows).toEqual([{ attempt: 2 }]);
  });

  test('[JOB9] work without a queue entry: found and finished', async () => {
    const engine = await startTestEngine();
    const job = accepted(await engine.engine.accept(sumRequest(engine, { count: 6, sliceSize: 2 })));
    await engine.parts.database.pool.query('delete from pgboss.job');
    engine.work();
    expect(await engine.engine.reconcile(-1)).toBe(3);
    expect((await engine.engine.wait(job.id, 20_000)).state).toBe('completed');
    expect(await engine.engine.reconcile(-1)).toBe(0);
  });

  test('[JOB10] one account has many slices: the first slice of another account is not delayed', async () => {
    const order: string[] = [];
    const engine = await startTestEngine({
      kind: {
        ...sumKind(),
        runSlice: async ({ accountId }) => {
          order.push(accountId);
          return { result: { sum: 0 }, rowsFailed: 0 };
        },
      },
    });
    await engine.parts.database.pool.query(
      "insert into accounts (id, name, plan, created_at) values ('00000000-0000-4000-8000-000000000002', 'other', 'unlimited', now())",
    );
    const other = '00000000-0000-4000-8000-000000000002';
    const big = accepted(await engine.engine.accept(sumRequest(engine, { count: 50, sliceSize: 1 })));
    accepted(
      await engine.engine.accept({ ...sumRequest(engine, { count: 1, sliceSize: 1 }), accountId: other }),
    );
    engine.work({ slices: 1 });
    await engine.engine.wait(big.id, 20_000);
    expect(order.indexOf(other)).toBeLessThan(3);
    expect(order.length).toBe(51);
  });

  test('[JOB11] two nodes on one database: one accepts and waits, the other works', async () => {
    const api = await startTestEngine();
    const worker = await startTestEngine({ address: api.address });
    worker.work();
    const job = accepted(await api.engine.accept(sumRequest(api, { count: 10, sliceSize: 1 })));
    expect((await api.engine.wait(job.id, 20_000)).state).toBe('completed');
    expect(await effects(api, job.id)).toBe(10);
  });
});

describe('request keys', () => {
  test('[REQ1] 200 concurrent creates with one key: one job and one reservation', async () => {
    const nodes = [await startTestEngine()];
    nodes.push(await startTestEngine({ address: nodes[0]!.address }));
    const [first] = nodes as [TestEngine, TestEngine];
    const quota = { rows: 5, limit: null };
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        nodes[i % 2]!.engine.accept(sumRequest(first, { count: 5, sliceSize: 5 }, 'k', 'same', { quota })),
      ),
    );
    expect(answers.filter((answer) => answer.outcome === 'accepted')).toHaveLength(1);
    expect(answers.filter((answer) => answer.outcome === 'replay')).toHaveLength(199);
    const jobs = new Set(
      answers.map((answer) =>
        answer.outcome === 'accepted'
          ? answer.job.id
          : answer.outcome === 'replay'
            ? answer.record.job_id
            : '',
      ),
    );
    expect(jobs.size).toBe(1);
    expect(await count(first, 'select count(*) from jobs')).toBe(1);
    expect(await count(first, 'select sum(reserved_rows) from quota_ledger')).toBe(5);
  });

  test('[REQ2] one key with two bodies: one is accepted, the others receive the parts that differ', async () => {
    const engine = await startTestEngine();
    const answers: Awaited<ReturnType<typeof engine.engine.accept>>[] = [];
    // A hundred at a time: a thousand at once would wait for connections longer than a request may.
    for (let wave = 0; wave < 10; wave += 1) {
      const body = (i: number) => (i % 2 ? 'odd' : 'even');
      const ask = (_: unknown, i: number) =>
        engine.engine.accept(sumRequest(engine, { count: 5, sliceSize: 5 }, 'k', body(i)));
      answers.push(...(await Promise.all(Array.from({ length: 100 }, ask))));
    }
    const mismatches = answers.filter((answer) => answer.outcome === 'mismatch');
    expect(answers.filter((answer) => answer.outcome === 'accepted')).toHaveLength(1);
    expect(mismatches).toHaveLength(500);
    expect(mismatches[0]).toMatchObject({ differsIn: ['rows'] });
    expect(await count(engine, 'select count(*) from jobs')).toBe(1);
  });

  test('[REQ3] a replay: does not extend the window, after which the key is new', async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    const engine = await startTestEngine({ clock });
    const request = sumRequest(engine, { count: 1, sliceSize: 1 }, 'k');
    const first = accepted(await engine.engine.accept(request));
    clock.advance(86_399_000);
    expect(await engine.engine.accept(request)).toMatchObject({
      outcome: 'replay',
      record: { job_id: first.id },
    });
    clock.advance(1_000);
    const second = accepted(await engine.engine.accept(request));
    expect(second.id).not.toBe(first.id);
  });

  test('[REQ4] a rejected request: claims no key and stores nothing', async () => {
    const engine = await startTestEngine();
    const request = sumRequest(engine, { count: 5, sliceSize: 5 }, 'k', 'body', {
      quota: { rows: 5, limit: 4 },
    });
    expect(await engine.engine.accept(request)).toEqual({ outcome: 'quota-exceeded' });
    for (const table of ['jobs', 'slices', 'request_keys', 'quota_ledger', 'quota_balances'])
      expect(await count(engine, `select count(*) from ${table}`), table).toBe(0);
    expect(await count(engine, "select count(*) from pgboss.job where name = 'slice'")).toBe(0);
    expect((await engine.engine.accept({ ...request, quota: { rows: 5, limit: 5 } })).outcome).toBe(
      'accepted',
    );
  });

  test('[REQ5] a stored first response: replayed byte for byte', async () => {
    const engine = await startTestEngine();
    const body = Buffer.from('{"data":  {"id":1}}');
    const identity = { scope: 'once', key: 'k', windowSeconds: 60, bodyDigest: null };
    let ran = 0;
    const run = async () => {
      ran += 1;
      return { response: { status: 201, type: 'application/json', body }, remember: true };
    };
    const answers = await Promise.all([
      engine.engine.runOnce(engine.accountId, identity, run),
      engine.engine.runOnce(engine.accountId, identity, run),
    ]);
    expect(answers.map((answer) => answer.outcome).sort()).toEqual(['ran', 'replay']);
    expect(ran).toBe(1);
    const again = await engine.engine.runOnce(engine.accountId, identity, run);
    expect(again).toMatchObject({
      outcome: 'replay',
      record: { response_status: 201, response_type: 'application/json', response_body: body },
    });
  });

  test('[REQ6] a response that must not be stored: rolls everything back', async () => {
    const engine = await startTestEngine();
    const identity = { scope: 'once', key: 'k', windowSeconds: 60, bodyDigest: null };
    const response = { status: 422, type: 'application/json', body: Buffer.from('{}') };
    const answer = await engine.engine.runOnce(engine.accountId, identity, async (tx) => {
      await tx.insertInto('installation').values({ name: 'effect', value: '1' }).execute();
      return { response, remember: false };
    });
    expect(answer).toEqual({ outcome: 'ran', response });
    expect(await count(engine, 'select count(*) from installation')).toBe(0);
    expect(await count(engine, 'select count(*) from request_keys')).toBe(0);
  });
});

describe('quota', () => {
  test('[QUO1] parallel creates: cannot overspend; completion bills, failure releases, and the balance is the sum', async () => {
    const engine = await startTestEngine();
    const request = (failing: number[]) =>
      sumRequest(engine, { count: 10, sliceSize: 10, failing, failLimit: 1 }, undefined, '', {
        quota: { rows: 10, limit: 50 },
      });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => engine.engine.accept(request(i % 2 ? [1] : []))),
    );
    const jobs = answers.filter((answer) => answer.outcome === 'accepted').map(accepted);
    expect(jobs).toHaveLength(5);
    engine.work();
    const ended = await Promise.all(jobs.map((job) => engine.engine.wait(job.id, 20_000)));
    const billed = ended.filter((job) => job.state === 'completed').length * 10;
    expect(await count(engine, 'select billed_rows from quota_balances')).toBe(billed);
    expect(await count(engine, 'select reserved_rows from quota_balances')).toBe(0);
    expect(await count(engine, 'select sum(billed_rows) from quota_ledger')).toBe(billed);
    expect(await count(engine, 'select count(*) from quota_ledger where settled_at is not null')).toBe(5);
  });
});
