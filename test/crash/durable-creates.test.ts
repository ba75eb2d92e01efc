import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createKey } from '#engine/keys/create-key.ts';
import { systemClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { silentLog } from '#lib/plain-log.ts';
import { type Database, openDatabase } from '#storage/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#storage/embedded/embedded-postgres.ts';
import { migrate } from '#storage/migrate.ts';
import { type Answer, BulkfillClient, goodRows, rowsJson } from '../support/bulkfill-client.ts';
import { startBulkfillProcess } from '../support/bulkfill-process.ts';
import { letterPdf, nameLayout, SEAL_KEY, seal } from '../support/bulkfill-server.ts';
import { databaseUrl } from '../support/cli.ts';
import { keyKinds } from '../support/product.ts';

interface Scene {
  readonly postgres: EmbeddedPostgres;
  readonly database: Database;
  /** Starts a server in its own process, and a client of it. */
  start(role: string): Promise<{ readonly client: BulkfillClient; stop(): Promise<unknown> }>;
}

/** Starts a PostgreSQL with fsync, which no other test uses. */
async function makeScene(): Promise<Scene> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rp-durable-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
  const database = openDatabase(postgres.address, 2, () => {});
  onTestFinished(async () => {
    await database.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(postgres.directory, { recursive: true, force: true });
  });
  await migrate(database.db);
  const made = await createKey(
    { db: database.db, kinds: keyKinds, clock: systemClock, ids: systemIds, plan: 'unlimited' },
    { surface: 'bulkfill', account: 'durable' },
  );
  if (!made.ok) throw new Error('bug: no key was created');
  const start = async (role: string) => {
    const server = await startBulkfillProcess({
      env: {
        HOST: '127.0.0.1',
        PORT: '0',
        ROWPRESS_DATA_DIR: join(dataDir, 'server'),
        DATABASE_URL: databaseUrl(postgres.address),
        ROWPRESS_SEAL_KEY: Buffer.from(SEAL_KEY).toString('hex'),
        ROWPRESS_ROLE: role,
      },
    });
    const account = { name: 'durable', id: '', key: made.key, keyId: '' };
    const usual = {
      pdf: letterPdf,
      doqlo_file: await seal(nameLayout, letterPdf),
      max_failed_row_percent: '0',
    };
    return { client: new BulkfillClient(server, account, usual), stop: server.stop };
  };
  return { postgres, database, start };
}

/** A create that nothing of an earlier one can serve. */
function createRows(client: BulkfillClient, n: number): Promise<Answer> {
  const fields = { rows_json: rowsJson([...goodRows(2), { column_0: `Create ${n}` }]) };
  return client.create(fields, { key: `create-${n}`, headers: { prefer: 'wait=0' } });
}

const CREATES = 60;

test('[STO80] creates one after the other: at most two waits for the disk each', async () => {
  const scene = await makeScene();
  const { database, start } = scene;
  const { client, stop } = await start('api');
  expect((await createRows(client, 0)).status).toBe(202);
  const before = await waits(database);
  const began = performance.now();
  for (let n = 1; n <= CREATES; n += 1) expect((await createRows(client, n)).status).toBe(202);
  const elapsedMs = performance.now() - began;
  // A connection reports its figures at the latest when it ends.
  await stop();
  const all = (await waits(database)) - before;
  expect(all).toBeGreaterThanOrEqual(CREATES / 2);
  expect(all - (await waitsOfIdleServer(scene, elapsedMs))).toBeLessThanOrEqual(2 * CREATES);
});

/** Heartbeats and other chores wait for the disk too: the longer the creates take, the more often. */
async function waitsOfIdleServer({ database, start }: Scene, ms: number): Promise<number> {
  const before = await waits(database);
  const { stop } = await start('api');
  await new Promise((resolve) => setTimeout(resolve, ms));
  await stop();
  return (await waits(database)) - before;
}

/** How often statements of clients waited until the log was on disk. */
async function waits({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    "select sum(fsyncs)::int as n from pg_stat_io where object = 'wal' and backend_type = 'client backend'",
  );
  return rows[0]?.n ?? 0;
}

test('[STO80] [STO3] PostgreSQL is killed right after creates were acknowledged: all of them complete', async () => {
  const { postgres, database, start } = await makeScene();
  const { client } = await start('all');
  const acknowledged: string[] = [];
  for (let round = 1; round <= 3; round += 1) {
    const answers = await Promise.all([0, 1, 2, 3].map((n) => untilAnswered(client, round * 10 + n)));
    const file = join(postgres.directory, 'cluster', 'postmaster.pid');
    process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGKILL');
    acknowledged.push(...answers.map(({ body }) => body.job_id));
    await postgres.recovered(round);
  }
  for (const id of acknowledged) expect(await untilEnded(client, id)).toBe('completed');
  const { rows } = await database.pool.query('select count(*)::int as jobs from jobs');
  expect(rows).toEqual([{ jobs: acknowledged.length }]);
});

/** A client that reuses its key and retries while the database is unavailable. */
async function untilAnswered(client: BulkfillClient, n: number): Promise<Answer> {
  for (let i = 0; i < 900; i += 1) {
    const answer = await createRows(client, n).catch(() => undefined);
    if (answer !== undefined && answer.status < 300) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the create was never answered');
}

async function untilEnded(client: BulkfillClient, jobId: string): Promise<string> {
  for (let i = 0; i < 600; i += 1) {
    const { status, body } = await client.get(jobId);
    if (status === 200 && (body.status === 'completed' || body.status === 'failed')) return body.status;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`job ${jobId} did not end`);
}
