import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { systemIds } from '#lib/ids.ts';
import { touchBlob } from '#storage/blob-records.ts';
import { getJob } from '#storage/jobs/find-jobs.ts';
import { count, startTestEngine, type TestEngine } from '../../../test/support/engine.ts';
import type { AcceptRequest } from './accept-job.ts';
import { JobIntake } from './job-intake.ts';

const BLOB = 'a'.repeat(64);

function request(engine: TestEngine, key: string, overrides: Partial<AcceptRequest> = {}): AcceptRequest {
  return {
    accountId: engine.accountId,
    kind: 'example.sum',
    input: { count: 4, sliceSize: 2, note: '\u0000 "\ud800"' },
    identity: { scope: 'example', key, windowSeconds: 86_400, bodyDigest: null },
    quota: { rows: 4, limit: null },
    ...overrides,
  };
}

const WAITING = `select count(*) from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

const putBlob = ({ parts }: TestEngine) =>
  touchBlob(parts.database.db, { name: BLOB, sizeBytes: 1, digest: BLOB }, parts.clock.now());

const isWritten = async (engine: TestEngine) => ({
  transactions: await count(engine, 'select count(distinct xmin::text) from jobs'),
  jobs: await count(engine, 'select count(*) from jobs'),
  keys: await count(engine, 'select count(*) from request_keys'),
  slices: await count(engine, 'select count(*) from slices'),
  entries: await count(engine, "select count(*) from pgboss.job where name = 'slice'"),
  ledger: await count(engine, 'select count(*) from quota_ledger'),
  references: await count(engine, 'select count(*) from blob_refs'),
});

test('[JOB36] creates that arrive together: one transaction, and each one has its own result', async () => {
  const engine = await startTestEngine();
  await putBlob(engine);
  await engine.engine.accept(request(engine, 'taken'));
  const answers = await Promise.all(
    [
      request(engine, 'one', { blobs: [BLOB, BLOB] }),
      request(engine, 'taken'),
      request(engine, 'gone', { blobs: [BLOB, 'b'.repeat(64)] }),
      request(engine, 'two'),
    ].map((each) => engine.engine.accept(each)),
  );
  expect(answers.map(({ outcome }) => outcome)).toEqual(['accepted', 'replay', 'blobs-gone', 'accepted']);
  expect(await isWritten(engine)).toEqual({
    transactions: 2,
    jobs: 3,
    keys: 3,
    slices: 6,
    entries: 6,
    ledger: 3,
    references: 1,
  });
});

test('[JOB36] one of several creates fails: the others are accepted', async () => {
  const engine = await startTestEngine();
  const answers = await Promise.allSettled(
    [
      request(engine, 'one'),
      request(engine, 'lost', { accountId: systemIds.uuid() }),
      request(engine, 'two'),
    ].map((each) => engine.engine.accept(each)),
  );
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await isWritten(engine)).toMatchObject({ jobs: 2, keys: 2, slices: 4, entries: 4, ledger: 2 });
});

test('[JOB36] one of several creates exceeds a limit of the database: the others are accepted', async () => {
  const engine = await startTestEngine();
  const tooLongForItsIndex = randomBytes(9_000).toString('base64');
  const answers = await Promise.allSettled(
    ['one', tooLongForItsIndex, 'two'].map((key) => engine.engine.accept(request(engine, key))),
  );
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await isWritten(engine)).toMatchObject({ jobs: 2, keys: 2, slices: 4, entries: 4, ledger: 2 });
});

test('[JOB36] an accepted job: the returned record is the stored one', async () => {
  const engine = await startTestEngine();
  await putBlob(engine);
  const answer = await engine.engine.accept(
    request(engine, 'k', { blobs: [BLOB], requestId: 'r', workDigest: Buffer.alloc(32, 7) }),
  );
  if (answer.outcome !== 'accepted') throw new Error(answer.outcome);
  expect(answer.job).toEqual(await getJob(engine.parts.database.db, answer.job.id));
});

test('[JOB37] creates wait for keys that other transactions hold: later creates do not', async () => {
  const engine = await startTestEngine();
  const { pool } = engine.parts.database;
  const holder = await pool.connect();
  await holder.query('begin');
  const waiting = [];
  for (const [index, key] of ['held-1', 'held-2', 'held-3'].entries()) {
    await holder.query(
      `insert into request_keys (account_id, scope, key, claimed_at, expires_at)
       values ($1, 'example', $2, now(), now() + interval '1 day')`,
      [engine.accountId, key],
    );
    waiting.push(engine.engine.accept(request(engine, key)));
    await expect.poll(() => count(engine, WAITING), { timeout: 30_000 }).toBe(index + 1);
  }
  expect((await engine.engine.accept(request(engine, 'free'))).outcome).toBe('accepted');
  await holder.query('rollback');
  holder.release();
  expect((await Promise.all(waiting)).map(({ outcome }) => outcome)).toEqual([
    'accepted',
    'accepted',
    'accepted',
  ]);
});

/** Holds a key in a transaction that ends when the returned function is called, or with the test. */
async function holdKey({ parts, accountId }: TestEngine, key: string): Promise<() => Promise<void>> {
  const holder = await parts.database.pool.connect();
  await holder.query('begin');
  await holder.query(
    `insert into request_keys (account_id, scope, key, claimed_at, expires_at)
     values ($1, 'example', $2, now(), now() + interval '1 day')`,
    [accountId, key],
  );
  let isHeld = true;
  const free = async () => {
    if (!isHeld) return;
    isHeld = false;
    await holder.query('rollback');
    holder.release();
  };
  onTestFinished(free);
  return free;
}

test('[JOB36] [JOB37] a create waits for a key that another transaction holds: those written with it do not', async () => {
  const engine = await startTestEngine();
  const free = await holdKey(engine, 'held');
  const [waiting, ...others] = ['held', 'one', 'two'].map((key) =>
    engine.engine.accept(request(engine, key)),
  );
  expect((await Promise.all(others)).map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
  await expect.poll(() => count(engine, WAITING), { timeout: 30_000 }).toBe(1);
  await free();
  expect((await waiting)?.outcome).toBe('accepted');
  expect(await isWritten(engine)).toMatchObject({ jobs: 3, keys: 3, slices: 6, entries: 6, ledger: 3 });
});

test('[JOB37] a key is held for too long: the create ends, and nothing waits for the key any more', async () => {
  const engine = await startTestEngine();
  const free = await holdKey(engine, 'held');
  const { accountId, parts } = engine;
  const now = parts.clock.now();
  const id = systemIds.uuid();
  const intake = new JobIntake(parts.database.db, { lockMs: 50 });
  const created = intake.insert({
    claim: {
      accountId,
      scope: 'example',
      key: 'held',
      bodyDigest: null,
      bodyParts: null,
      jobId: id,
      now,
      expiresAt: new Date(now.getTime() + 60_000),
    },
    job: {
      id,
      account_id: accountId,
      kind: 'example.sum',
      input: '{}',
      ordered: false,
      fail_limit: null,
      slices_total: 1,
      rows_total: 1,
      request_id: null,
      work_digest: null,
      created_at: now,
    },
    slices: [{ input: {}, rows: 1 }],
    ledger: undefined,
    blobs: [],
    unlessReusable: false,
  });
  await expect(created).rejects.toMatchObject({ code: '55P03' });
  expect(await count(engine, WAITING)).toBe(0);
  await free();
  expect(await isWritten(engine)).toMatchObject({ jobs: 0, keys: 0, entries: 0 });
});

test('[JOB38] the queue entries of a create: the same as pg-boss inserts', async () => {
  const engine = await startTestEngine();
  const { database, queue } = engine.parts;
  const entries = async () => {
    const { rows } = await database.pool.query<{ entry: Record<string, unknown> }>(
      `select to_jsonb(j) - '{id,created_on,start_after,keep_until}'::text[]
         || jsonb_build_object('kept', keep_until - start_after, 'delay', start_after - created_on) as entry
       from pgboss.job j where name = 'slice' order by singleton_key`,
    );
    return rows.map(({ entry }) => entry);
  };
  for (let open = 0; open < 3; open += 1) await engine.engine.accept(request(engine, `open ${open}`));
  await database.pool.query('delete from pgboss.job');
  const answer = await engine.engine.accept(request(engine, 'k'));
  if (answer.outcome !== 'accepted') throw new Error(answer.outcome);
  const ours = await entries();
  await database.pool.query('delete from pgboss.job');
  await database.db.transaction().execute((tx) => queue.addSlices(tx, answer.job.id, [0, 1], 6));
  expect(ours).toEqual(await entries());
  expect(ours).toHaveLength(2);
});
