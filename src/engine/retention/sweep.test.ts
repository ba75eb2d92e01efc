import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { onFaultPoint } from '#lib/fault-points.ts';
import { findDelivery } from '#storage/artifacts.ts';
import { touchBlob } from '#storage/blob-records.ts';
import { count, startTestEngine, type TestEngine } from '../../../test/support/engine.ts';
import { sumKind } from '../../../test/support/example-kind.ts';
import { type SweptBlobs, sweep, sweepOrphanFiles } from './sweep.ts';

const HOUR = 3_600_000;
const A = 'a'.repeat(64);
const B = 'b'.repeat(64);
const PATIENCE = { timeout: 20_000 };

/** Files by digest, with the time they were stored, as on a disk or in a bucket. */
class Files implements SweptBlobs {
  readonly held = new Map<string, Date>();
  async delete(digest: string): Promise<void> {
    this.held.delete(digest);
  }
  async *list() {
    for (const [digest, storedAt] of this.held) yield { digest, storedAt };
  }
}

/** An engine with one kind, which makes an artifact of blob B from input blob A. */
async function makeScene(delivery: { readonly deliverySeconds?: number } = {}) {
  const clock = new ManualClock('2026-03-01T00:00:00Z');
  const kind = {
    ...sumKind(),
    finish: async () => ({
      state: 'completed' as const,
      artifact: {
        mediaType: 'application/zip',
        sizeBytes: 3,
        etag: 'e',
        parts: { blob: B },
        blobs: [B],
        ...delivery,
      },
    }),
  };
  const engine = await startTestEngine({ clock, kind });
  const files = new Files();
  const put = async (digest: string) => {
    files.held.set(digest, clock.now());
    await touchBlob(engine.parts.database.db, { name: digest, digest, sizeBytes: 3 }, clock.now());
  };
  const sweepNow = (jobRetentionSeconds = 30 * 86_400) =>
    sweep({
      db: engine.parts.database.db,
      clock,
      blobs: files,
      settings: { artifactSeconds: 86_400, jobRetentionSeconds },
    });
  return { clock, engine, files, put, sweepNow };
}

async function runJob(engine: TestEngine, workDigest?: Buffer, key?: string): Promise<string> {
  const answer = await engine.engine.accept({
    accountId: engine.accountId,
    kind: 'example.sum',
    input: { count: 4, sliceSize: 4 },
    blobs: [A],
    quota: { rows: 4, limit: null },
    ...(workDigest && { workDigest }),
    ...(key && { identity: { scope: 'example', key, windowSeconds: 86_400, bodyDigest: null } }),
  });
  if (answer.outcome !== 'accepted') throw new Error(answer.outcome);
  const job = await engine.engine.wait(answer.job.id, 20_000);
  expect(job.state).toBe('completed');
  return job.id;
}

test('[RET2] an upload without a job: swept after an hour, record and file; a new put keeps it', async () => {
  const { clock, files, put, sweepNow } = await makeScene();
  await put(A);
  clock.advance(HOUR - 1);
  await put(A);
  await put(B);
  clock.advance(HOUR);
  expect((await sweepNow()).blobs).toBe(0);
  clock.advance(1);
  expect((await sweepNow()).blobs).toBe(2);
  expect(files.held.size).toBe(0);
});

test('[RET2] a job whose input was swept: not accepted', async () => {
  const { engine } = await makeScene();
  const answer = await engine.engine.accept({
    accountId: engine.accountId,
    kind: 'example.sum',
    input: { count: 1, sliceSize: 1 },
    blobs: [A],
  });
  expect(answer.outcome).toBe('blobs-gone');
  expect(await count(engine, 'select count(*) from jobs')).toBe(0);
});

test('[RET1] [QUO2] the same work: completes at once from the earlier artifact, free, and never outlives it', async () => {
  const { clock, engine, put } = await makeScene();
  engine.work();
  await put(A);
  await put(B);
  const work = Buffer.alloc(32, 7);
  const first = await runJob(engine, work);
  const lent = await findDelivery(engine.parts.database.db, first);
  clock.advance(5 * HOUR);
  const second = await runJob(engine, work);
  const borrowed = await findDelivery(engine.parts.database.db, second);
  expect(borrowed?.artifact_id).toBe(lent?.artifact_id);
  expect(await count(engine, 'select billed_rows from quota_ledger where job_id = $1', [second])).toBe(0);
  expect(await count(engine, 'select sum(billed_rows) from quota_ledger')).toBe(4);
  expect(borrowed?.expires_at.getTime()).toBe(clock.now().getTime() + 6 * HOUR);
  // The delivery was extended to 11 h. At 10:59 the artifact can be reused again, but never beyond its 24 h.
  clock.advance(6 * HOUR - 1);
  await runJob(engine, work);
  clock.advance(6 * HOUR - 1);
  const fourth = await findDelivery(engine.parts.database.db, await runJob(engine, work));
  clock.advance(6 * HOUR - 1);
  const fifth = await findDelivery(engine.parts.database.db, await runJob(engine, work));
  expect(fourth?.artifact_id).toBe(lent?.artifact_id);
  expect(fifth?.expires_at.toISOString()).toBe('2026-03-02T00:00:00.000Z');
});

test('[RET3] [RET4] artifact and inputs: purged an hour after the delivery, the record after 30 days, nothing is orphaned', async () => {
  const { clock, engine, files, put, sweepNow } = await makeScene();
  engine.work();
  await put(A);
  await put(B);
  await runJob(engine);
  clock.advance(7 * HOUR - 1);
  expect(await sweepNow()).toMatchObject({ artifacts: 0, blobs: 0 });
  clock.advance(1);
  expect(await sweepNow()).toMatchObject({ artifacts: 1, blobs: 2 });
  expect(files.held.size).toBe(0);
  expect(await sweepNow()).toEqual({ artifacts: 0, blobs: 0, requestKeys: 0, jobs: 0, events: 0 });
  clock.advance(30 * 24 * HOUR);
  expect(await sweepNow()).toMatchObject({ jobs: 1 });
  for (const table of ['jobs', 'slices', 'blob_refs', 'blobs', 'artifacts', 'deliveries'])
    expect(await count(engine, `select count(*) from ${table}`), table).toBe(0);
  expect(await count(engine, 'select count(*) from quota_ledger')).toBe(1);
});

test('[RET3] a delivery longer than artifacts are kept: the artifact is kept as long', async () => {
  const { clock, engine, files, put, sweepNow } = await makeScene({ deliverySeconds: 3 * 86_400 });
  engine.work();
  await put(A);
  await put(B);
  const job = await runJob(engine);
  clock.advance(72 * HOUR - 1);
  await sweepNow();
  expect(await findDelivery(engine.parts.database.db, job)).toMatchObject({ purged_at: null });
  expect(files.held.has(B)).toBe(true);
  clock.advance(HOUR + 1);
  expect(await sweepNow()).toMatchObject({ artifacts: 1 });
});

test('[RET5] a job record: kept as long as its request key refers to it', async () => {
  const { clock, engine, put, sweepNow } = await makeScene();
  engine.work();
  await put(A);
  await put(B);
  await runJob(engine, undefined, 'k');
  clock.advance(24 * HOUR - 1);
  expect(await sweepNow(60)).toMatchObject({ artifacts: 1, jobs: 0, requestKeys: 0 });
  clock.advance(60_001);
  expect(await sweepNow(60)).toMatchObject({ jobs: 1, requestKeys: 1 });
});

test('[RET3] a reader: delays the purge of an expired artifact, but not beyond its last hour', async () => {
  const { clock, engine, put, sweepNow } = await makeScene();
  engine.work();
  await put(A);
  await put(B);
  await runJob(engine);
  clock.advance(8 * HOUR);
  await engine.parts.database.pool.query(
    'insert into artifact_readers (id, artifact_id, seen_at) select $1, id, $2 from artifacts',
    [`${A.slice(0, 8)}-0000-4000-8000-000000000000`, clock.now()],
  );
  expect(await sweepNow()).toMatchObject({ artifacts: 0 });
  clock.advance(16 * HOUR);
  expect(await sweepNow()).toMatchObject({ artifacts: 1 });
});

test('[RET3] a reader that has left an expired artifact: purged by the next sweep', async () => {
  const { clock, engine, put, sweepNow } = await makeScene();
  engine.work();
  await put(A);
  await put(B);
  await runJob(engine);
  clock.advance(8 * HOUR);
  const { pool } = engine.parts.database;
  await pool.query(
    'insert into artifact_readers (id, artifact_id, seen_at) select id, id, $1 from artifacts',
    [clock.now()],
  );
  expect(await sweepNow()).toMatchObject({ artifacts: 0 });
  clock.advance(HOUR / 12);
  expect(await sweepNow()).toMatchObject({ artifacts: 0 });
  await pool.query('delete from artifact_readers');
  expect(await sweepNow()).toMatchObject({ artifacts: 1, blobs: 2 });
});

test('[RET3] an artifact that a later job reuses: purged an hour after its last delivery', async () => {
  const { clock, engine, put, sweepNow } = await makeScene();
  engine.work();
  await put(A);
  await put(B);
  const work = Buffer.alloc(32, 7);
  await runJob(engine, work);
  clock.advance(5 * HOUR);
  await runJob(engine, work);
  // The first delivery has expired, the second one has not.
  clock.advance(3 * HOUR);
  expect(await sweepNow()).toMatchObject({ artifacts: 0 });
  expect(await count(engine, 'select count(*) from deliveries where swept')).toBe(1);
  clock.advance(4 * HOUR - 1);
  expect(await sweepNow()).toMatchObject({ artifacts: 0 });
  clock.advance(1);
  expect(await sweepNow()).toMatchObject({ artifacts: 1 });
  expect(await count(engine, 'select count(*) from deliveries where swept')).toBe(2);
});

test('[RET5] a job whose result another one reuses: deleted with the last of them', async () => {
  const { clock, engine, put, sweepNow } = await makeScene();
  engine.work();
  await put(A);
  await put(B);
  const work = Buffer.alloc(32, 7);
  await runJob(engine, work);
  clock.advance(5 * HOUR);
  await runJob(engine, work);
  clock.advance(30 * 24 * HOUR - HOUR);
  expect(await sweepNow()).toMatchObject({ artifacts: 1, jobs: 0 });
  clock.advance(2 * HOUR);
  expect(await sweepNow()).toMatchObject({ jobs: 2 });
});

test('[RET4] files without a record: deleted once they are old enough; recorded ones stay', async () => {
  const { clock, engine, files, put } = await makeScene();
  await put(A);
  files.held.set(B, clock.now());
  const orphans = () => sweepOrphanFiles({ db: engine.parts.database.db, clock, blobs: files });
  expect(await orphans()).toBe(0);
  clock.advance(HOUR + 1);
  expect(await orphans()).toBe(1);
  expect([...files.held.keys()]).toEqual([A]);
});

test('[RET4] content put again while its orphaned file is deleted: stored afterwards', async () => {
  const { clock, engine, files } = await makeScene();
  const { db, pool } = engine.parts.database;
  files.held.set(B, clock.now());
  clock.advance(HOUR + 1);
  let placed: Promise<unknown> | undefined;
  const blobs: SweptBlobs = {
    list: () => files.list(),
    delete: async (digest) => {
      let isDone = false;
      placed = touchBlob(db, { name: B, digest: B, sizeBytes: 3 }, clock.now()).then(() => {
        isDone = true;
        files.held.set(B, clock.now());
      });
      const waits = async () =>
        (
          await pool.query(
            `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          )
        ).rowCount;
      await expect.poll(async () => isDone || (await waits()) === 1, PATIENCE).toBe(true);
      await files.delete(digest);
    },
  };
  expect(await sweepOrphanFiles({ db, clock, blobs })).toBe(1);
  await placed;
  expect([...files.held.keys()]).toEqual([B]);
  expect(await count(engine, 'select count(*) from blobs')).toBe(1);
});

test('[RET4] a file that cannot be deleted: keeps its record alone, is reported, and goes with a later sweep', async () => {
  const { clock, engine, files, put, sweepNow } = await makeScene();
  await put(A);
  await put(B);
  clock.advance(HOUR + 1);
  const remove = files.delete.bind(files);
  files.delete = async (digest) => {
    if (digest === A) throw new Error('the file is immutable');
    await new Promise((resolve) => setImmediate(resolve));
    await remove(digest);
  };
  const records = async () =>
    (await engine.parts.database.pool.query('select digest from blobs')).rows.map(({ digest }) => digest);
  await expect(sweepNow()).rejects.toThrow('the file is immutable');
  expect([...files.held.keys()]).toEqual([A]);
  expect(await records()).toEqual([A]);
  files.delete = remove;
  expect((await sweepNow()).blobs).toBe(1);
  expect(files.held.size).toBe(0);
  expect(await records()).toEqual([]);
});

test('[BLB44] content put again between the two steps of a sweep: keeps its record and its file', async () => {
  const { clock, engine, files, put, sweepNow } = await makeScene();
  await put(A);
  clock.advance(HOUR + 1);
  onFaultPoint(async (point) => {
    if (point === 'sweep.after-condemned') await put(A);
  });
  onTestFinished(() => onFaultPoint(undefined));
  expect((await sweepNow()).blobs).toBe(0);
  expect([...files.held.keys()]).toEqual([A]);
  expect(await count(engine, 'select count(*) from released_blobs')).toBe(0);
  onFaultPoint(undefined);
  clock.advance(HOUR + 1);
  expect((await sweepNow()).blobs).toBe(1);
  expect(files.held.size).toBe(0);
});

test('[BLB43] a sweep killed between its two steps: no job uses the blob, and the next sweep deletes it', async () => {
  const { clock, engine, files, put, sweepNow } = await makeScene();
  await put(A);
  clock.advance(HOUR + 1);
  onFaultPoint((point) => {
    if (point === 'sweep.after-condemned') throw new Error('killed');
  });
  onTestFinished(() => onFaultPoint(undefined));
  await expect(sweepNow()).rejects.toThrow('killed');
  onFaultPoint(undefined);
  const input = { count: 1, sliceSize: 1 };
  const request = { accountId: engine.accountId, kind: 'example.sum', input, blobs: [A] };
  expect((await engine.engine.accept(request)).outcome).toBe('blobs-gone');
  // Even if nothing but its record is left, as in an installation that was imported without its candidates.
  await engine.parts.database.pool.query('delete from released_blobs');
  clock.advance(24 * HOUR);
  expect((await sweepNow()).blobs).toBe(1);
  expect(files.held.size).toBe(0);
});
