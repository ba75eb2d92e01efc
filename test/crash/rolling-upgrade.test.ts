import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { BulkfillClient, goodRows, rowsJson } from '../support/bulkfill-client.ts';
import { letterPdf, nameLayout, SEAL_KEY, seal } from '../support/bulkfill-server.ts';
import { databaseUrl, rowpress, rowpressJson } from '../support/cli.ts';
import { createDatabase } from '../support/database.ts';
import { addMigrations, NEXT_MIGRATIONS, nextRelease } from '../support/next-release.ts';
import { ServerProcess } from '../support/server-process.ts';

const CONTRACT = '-- kind: contract, minimum 9002-next-check\nalter table jobs drop column next_release;\n';

test('[STO78] two releases under load while the newer one migrates beside a long reader: nothing lost or doubled', async () => {
  const root = mkdtempSync(join(tmpdir(), 'rp-upgrade-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const shared = {
    DATABASE_URL: databaseUrl(await createDatabase()),
    ROWPRESS_BLOBS: `file:${join(root, 'blobs')}`,
    ROWPRESS_SECRET_KEY: 'ab'.repeat(32),
    ROWPRESS_SEAL_KEY: Buffer.from(SEAL_KEY).toString('hex'),
    ROWPRESS_SYNC_WAIT_MS: '60000',
    ROWPRESS_BULKFILL_CREATE_PER_MINUTE: '0',
    ROWPRESS_WORKERS: '1',
  };
  const start = async (name: string, command?: string) => {
    const node = await ServerProcess.start({ ...shared, ROWPRESS_DATA_DIR: join(root, name) }, [], command);
    onTestFinished(() => node.stop());
    return node;
  };
  const old = await start('old');
  const { id, key } = await rowpressJson<{ id: string; key: string }>(
    ['keys', 'create', '--surface', 'bulkfill', '--account', 'demo'],
    { ...shared, ROWPRESS_DATA_DIR: join(root, 'old') },
  );
  const form = {
    pdf: letterPdf,
    doqlo_file: await seal(nameLayout, letterPdf),
    rows_json: rowsJson(goodRows(2)),
    max_failed_row_percent: '0',
  };
  const clientOf = (node: ServerProcess) =>
    new BulkfillClient(node, { name: 'demo', id, keyId: id, key }, form);
  /** Creates jobs one after another, each twice with the same key, until `stop`. */
  const load = (client: BulkfillClient) => {
    const jobs: string[] = [];
    const wrong: unknown[] = [];
    let running = true;
    const done = (async () => {
      while (running) {
        const request = { key: randomUUID() };
        const answers = [await client.create({}, request), await client.create({}, request)];
        const ids = new Set(answers.map(({ body }) => body.job_id));
        jobs.push(...ids);
        if (
          ids.size !== 1 ||
          answers.some(({ status, body }) => status !== 200 || body.status !== 'completed')
        )
          wrong.push(answers.map(({ status, text }) => [status, text]));
      }
    })();
    const stop = async () => {
      running = false;
      await done;
      expect(wrong).toEqual([]);
      return jobs;
    };
    return { stop, jobs };
  };
  const until = async (reached: () => boolean | Promise<boolean>) => {
    for (let turn = 0; turn < 1200; turn += 1) {
      if (await reached()) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('not reached within a minute');
  };

  const onOld = load(clientOf(old));
  await until(() => onOld.jobs.length >= 2);
  const reader = new pg.Client(shared.DATABASE_URL);
  await reader.connect();
  onTestFinished(() => reader.end());
  await reader.query('begin');
  await reader.query('select from jobs limit 1');
  const next = nextRelease(NEXT_MIGRATIONS);
  const starting = start('new', next.rowpress);
  starting.catch(() => {});
  const watcher = new pg.Client(shared.DATABASE_URL);
  await watcher.connect();
  onTestFinished(() => watcher.end());
  await until(
    async () =>
      (
        await watcher.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%next_release%'",
        )
      ).rowCount === 1,
  );
  // The reader still holds its lock: the old node must create and run jobs between the attempts.
  const before = onOld.jobs.length;
  await until(() => onOld.jobs.length >= before + 3);
  await reader.query('rollback');
  const node = await starting;
  const onNew = load(clientOf(node));
  await until(() => onNew.jobs.length >= 3);
  const fromOld = await onOld.stop();
  await old.stop();

  const restarted = await start('old');
  expect((await fetch(`${restarted.url}/readyz`)).status).toBe(200);
  const { checks } = await rowpressJson<{ checks: object[] }>(['doctor'], {
    ...shared,
    ROWPRESS_DATA_DIR: join(root, 'old'),
  });
  const names = Object.keys(NEXT_MIGRATIONS).join(', ');
  expect(checks).toContainEqual({
    name: 'migrations',
    state: 'ok',
    detail: `a newer release added ${names}; this release can run beside it`,
  });
  const onRestarted = load(clientOf(restarted));
  await until(() => onRestarted.jobs.length >= 3);
  const created = [...fromOld, ...(await onNew.stop()), ...(await onRestarted.stop())];
  const { rows } = await watcher.query<{ id: string; settled: boolean }>(
    'select id, settled_at is not null as settled from jobs',
  );
  expect(rows.map((row) => row.id).sort()).toEqual([...created].sort());
  expect(rows.filter(({ settled }) => !settled)).toEqual([]);

  addMigrations(next.migrations, { '9003-contract': CONTRACT });
  await node.stop();
  await start('new', next.rowpress);
  const ready = await fetch(`${restarted.url}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([
    503,
    expect.stringContaining('too old for the database'),
  ]);
  await restarted.stop();
  const refused = await rowpress(['serve'], { ...shared, PORT: '0', ROWPRESS_DATA_DIR: join(root, 'old') });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /its schema version is \d{4}-.*, the database has 9003-contract, .* is 9002-next-check/,
  );
});
