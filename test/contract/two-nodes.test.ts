import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BulkfillClient, goodRows, rowsJson } from '../support/bulkfill-client.ts';
import { letterPdf, nameLayout, SEAL_KEY, seal } from '../support/bulkfill-server.ts';
import { databaseUrl, rowpressJson } from '../support/cli.ts';
import { createDatabase } from '../support/database.ts';
import { saveProject } from '../support/projects.ts';
import { ServerProcess } from '../support/server-process.ts';

const NEW_KEY = ['keys', 'create', '--surface', 'bulkfill', '--account', 'demo'];

/** One installation: nodes share the database, the blobs and the keys, and have their own data directories. */
async function installation() {
  const root = mkdtempSync(join(tmpdir(), 'rp-nodes-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const shared = {
    DATABASE_URL: databaseUrl(await createDatabase()),
    ROWPRESS_BLOBS: `file:${join(root, 'blobs')}`,
    ROWPRESS_SECRET_KEY: 'ab'.repeat(32),
    ROWPRESS_SEAL_KEY: Buffer.from(SEAL_KEY).toString('hex'),
  };
  const start = async (name: string, env: Record<string, string>) => {
    const node = await ServerProcess.start({ ...shared, ROWPRESS_DATA_DIR: join(root, name), ...env });
    onTestFinished(() => node.stop());
    return node;
  };
  return { root, shared, start };
}

const form = async () => ({
  pdf: letterPdf,
  doqlo_file: await seal(nameLayout, letterPdf),
  rows_json: rowsJson(goodRows(3)),
  max_failed_row_percent: '0',
});

test('[JOB11] a job accepted by one process and run by another: the request that waits on the first gets the result', async () => {
  const { shared, root, start } = await installation();
  const [api, worker] = await Promise.all([
    start('api', { ROWPRESS_ROLE: 'api', ROWPRESS_SYNC_WAIT_MS: '60000' }),
    start('worker', { ROWPRESS_ROLE: 'worker' }),
  ]);
  const { id, key } = await rowpressJson<{ id: string; key: string }>(NEW_KEY, {
    ...shared,
    ROWPRESS_DATA_DIR: join(root, 'api'),
  });
  const client = new BulkfillClient(api, { name: 'demo', id, keyId: id, key }, await form());
  const { status, body } = await client.create();
  expect([status, body.status]).toEqual([200, 'completed']);
  expect((await fetch(`${worker.url}/v1/bulkfill/export-jobs`)).status).toBe(404);
  expect((await fetch(`${worker.url}/readyz`)).status).toBe(200);
});

test('[BF36] a create that waits while its server stops: 202 at once', async () => {
  const { shared, root, start } = await installation();
  const api = await start('api', { ROWPRESS_ROLE: 'api', ROWPRESS_SYNC_WAIT_MS: '60000' });
  const { id, key } = await rowpressJson<{ id: string; key: string }>(NEW_KEY, {
    ...shared,
    ROWPRESS_DATA_DIR: join(root, 'api'),
  });
  const client = new BulkfillClient(api, { name: 'demo', id, keyId: id, key }, await form());
  const waiting = client.create();
  const list = () => client.request<{ data: unknown[] }>('/v1/bulkfill/export-jobs');
  await expect.poll(async () => (await list()).body.data).toHaveLength(1);
  const stopping = api.stop();
  const { status, body } = await waiting;
  expect([status, body.status]).toEqual([202, 'queued']);
  await stopping;
});

test('[BF150] a project saved on one node and filled on another: is prepared once', async () => {
  const { shared, root, start } = await installation();
  const wait = { ROWPRESS_SYNC_WAIT_MS: '60000' };
  const [one, two] = await Promise.all([start('one', wait), start('two', wait)]);
  const { id, key } = await rowpressJson<{ id: string; key: string }>(NEW_KEY, {
    ...shared,
    ROWPRESS_DATA_DIR: join(root, 'one'),
  });
  const parts = await form();
  const clientOf = (node: ServerProcess) =>
    new BulkfillClient(node, { name: 'demo', id, keyId: id, key }, parts);
  const { pdf, doqlo_file } = parts;
  const saved = await saveProject(
    clientOf(one),
    '/v1/bulkfill/projects',
    { name: 'Letter', pdf, doqlo_file },
    { method: 'POST', headers: { 'idempotency-key': 'letter' } },
  );
  expect(saved.status).toBe(201);
  const order = { project: 'Letter', rows: [{ column_0: 'Ann' }], max_failed_row_percent: 0 };
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'ann' };
  expect((await clientOf(two).post(JSON.stringify(order), headers)).body.status).toBe('completed');
  const prepared = (name: string) => readdirSync(join(root, name, 'prepared'), { recursive: true }).length;
  expect([prepared('one') > 0, existsSync(join(root, 'two', 'prepared')) ? prepared('two') : 0]).toEqual([
    true,
    0,
  ]);
});
