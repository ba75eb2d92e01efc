import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { BulkfillClient, goodRows, openScene, rowsJson } from '../support/bulkfill-client.ts';
import { letterPdf, nameLayout, SEAL_KEY, seal } from '../support/bulkfill-server.ts';
import { databaseUrl, rowpress, rowpressJson } from '../support/cli.ts';
import { createDatabase } from '../support/database.ts';
import { exportedTables } from '../support/exported-tables.ts';
import { box, layoutOf, openArchive } from '../support/fill-cli.ts';
import { startS3Server } from '../support/s3-server/open-s3-blobs.ts';
import type { S3Server } from '../support/s3-server/s3-server.ts';
import { ServerProcess } from '../support/server-process.ts';
import { quartersJpeg } from '../support/small-jpeg.ts';

const OUTAGE = { do: 'answer', status: 500, code: 'InternalError' } as const;

function temporaryDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'rp-s3-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function openS3Scene(store: S3Server, env: Record<string, string> = {}) {
  const scene = await openScene({ env: { ...store.env('installation'), ...env } });
  onTestFinished(() => scene.server.stop());
  return scene;
}

const downloadOf = (jobId: string) => `/v1/bulkfill/export-jobs/${jobId}/download`;

async function bytes(client: BulkfillClient, jobId: string, range?: string): Promise<Buffer> {
  const response = await client.fetch(downloadOf(jobId), { headers: range === undefined ? {} : { range } });
  expect(response.status).toBe(range === undefined ? 200 : 206);
  return Buffer.from(await response.arrayBuffer());
}

async function pdfCount(client: BulkfillClient, jobId: string): Promise<number> {
  const { files } = await client.archive(jobId);
  return Object.keys(files).filter((name) => name.endsWith('.pdf')).length;
}

async function settled(client: BulkfillClient, jobId: string): Promise<string> {
  for (let i = 0; i < 1200; i += 1) {
    const { body } = await client.get(jobId);
    if (body.status === 'completed' || body.status === 'failed') return body.status;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the job does not end');
}

test('[BLB15] a job with an object store: all its bytes are stored there, and its ZIP is read whole and by range', async () => {
  const store = await startS3Server();
  const { server, client } = await openS3Scene(store);
  const { status, body } = await client.create({ rows_json: rowsJson(goodRows(40)) });
  expect([status, body.status]).toEqual([200, 'completed']);
  const records = (await exportedTables(server.env)).get('blobs')?.match(/\b[0-9a-f]{64}\b/g) ?? [];
  expect(records.length).toBeGreaterThan(3);
  for (const digest of records)
    expect(store.contents.objects.has(`installation/${digest.slice(0, 2)}/${digest}`)).toBe(true);
  expect(await readdir(join(server.env.ROWPRESS_DATA_DIR ?? '', 'uploads'))).toEqual([]);

  expect(await pdfCount(client, body.job_id)).toBe(40);
  const whole = await bytes(client, body.job_id);
  for (const [start, end] of [
    [0, 1],
    [1_000, 9_000],
    [whole.length - 5, whole.length],
  ] as const) {
    const part = await bytes(client, body.job_id, `bytes=${start}-${end - 1}`);
    expect(part.equals(whole.subarray(start, end))).toBe(true);
  }
  store.faults.plan('GetObject', { do: 'cutBody', after: 100 }, 3);
  expect((await bytes(client, body.job_id)).equals(whole)).toBe(true);
});

test('[BLB13] [HTTP13] the store is unavailable: requests get 503 with Retry-After, and succeed afterwards', async () => {
  const store = await startS3Server();
  const { server, client } = await openS3Scene(store);
  const done = (await client.create()).body.job_id;
  const whole = await bytes(client, done);

  store.faults.plan('*', OUTAGE, 10_000);
  const refused = await client.create({ rows_json: rowsJson(goodRows(4)) });
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  const download = await client.fetch(downloadOf(done));
  expect([download.status, Number(download.headers.get('retry-after')) > 0]).toEqual([503, true]);
  store.faults.clear();
  expect((await bytes(client, done)).equals(whole)).toBe(true);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

test('[BLB13] a slice whose result cannot be stored: retried until it can', async () => {
  const store = await startS3Server();
  const { client } = await openS3Scene(store);
  const puts = () => store.requests.filter((request) => request.startsWith('PutObject')).length;
  await client.create({ rows_json: rowsJson(goodRows(4)) });
  const before = puts();
  await client.create({ rows_json: rowsJson(goodRows(5)) });
  // The last three are the slice's result, the index and the manifest; those before them are inputs.
  const inputs = puts() - before - 3;
  expect(inputs).toBeGreaterThan(0);
  store.faults.plan('PutObject', OUTAGE, 9, inputs);
  const { status, body } = await client.create({ rows_json: rowsJson(goodRows(6)) });
  expect([status, body.status]).toEqual([200, 'completed']);
  // The last one is the probe that ends the outage.
  expect(puts() - before).toBe(2 * (inputs + 3) + 9 + 1);
  expect(await pdfCount(client, body.job_id)).toBe(6);
});

test('[JOB20] [JOB21] [JOB22] the store rejects writes while jobs run: the node is not ready, and every job completes afterwards', async () => {
  const store = await startS3Server();
  const { server, client } = await openS3Scene(store, { ROWPRESS_SYNC_WAIT_MS: '0' });
  const puts = () => store.requests.filter((request) => request.startsWith('PutObject')).length;
  const blobs = async () => {
    const response = await fetch(`${server.url}/readyz`);
    return [response.status, ((await response.json()) as { checks: { blobs: string } }).checks.blobs];
  };
  const warm = (await client.create({ rows_json: rowsJson(goodRows(4)) })).body.job_id;
  expect(await settled(client, warm)).toBe('completed');
  const before = puts();
  const second = (await client.create({ rows_json: rowsJson(goodRows(5)) })).body.job_id;
  expect(await settled(client, second)).toBe('completed');
  // The last three are the slice's result, the index and the manifest.
  const inputs = puts() - before - 3;
  store.faults.plan('PutObject', OUTAGE, 10_000, inputs);
  const { status, body } = await client.create({ rows_json: rowsJson(goodRows(6)) });
  expect(status).toBe(202);
  await expect.poll(blobs).toEqual([503, 'cannot be used']);
  expect((await client.get(body.job_id)).body.status).toBe('processing');
  store.faults.clear();
  expect(await settled(client, body.job_id)).toBe('completed');
  expect(await blobs()).toEqual([200, 'ok']);
});

async function installation(store: S3Server) {
  const env = {
    ...store.env('installation'),
    DATABASE_URL: databaseUrl(await createDatabase()),
    ROWPRESS_DATA_DIR: temporaryDir(),
    ROWPRESS_SEAL_KEY: Buffer.from(SEAL_KEY).toString('hex'),
    ROWPRESS_SYNC_WAIT_MS: '0',
  };
  const start = async (more: Record<string, string> = {}) => {
    const node = await ServerProcess.start({ ...env, ...more });
    onTestFinished(() => node.stop());
    return node;
  };
  const client = async (node: ServerProcess) => {
    const { id, key } = await rowpressJson<{ id: string; key: string }>(
      ['keys', 'create', '--surface', 'bulkfill', '--account', 'demo'],
      env,
    );
    const form = {
      pdf: letterPdf,
      doqlo_file: await seal(nameLayout, letterPdf),
      rows_json: rowsJson(goodRows(6)),
      max_failed_row_percent: '0',
    };
    return new BulkfillClient(node, { name: 'demo', id, keyId: id, key }, form);
  };
  return { env, start, client };
}

test('[BLB15] a worker killed while it stores its result: the next one finishes the job', async () => {
  const store = await startS3Server();
  const { env, start, client } = await installation(store);
  const api = await start({
    ROWPRESS_ROLE: 'api',
    ROWPRESS_DATA_DIR: temporaryDir(),
    ROWPRESS_SECRET_KEY: 'ab'.repeat(32),
  });
  const worker = { ROWPRESS_ROLE: 'worker', ROWPRESS_SECRET_KEY: 'ab'.repeat(32) };
  const caller = await client(api);
  const { status, body } = await caller.create();
  expect(status).toBe(202);

  store.faults.plan('PutObject', { do: 'hang' }, 1_000);
  const before = store.requests.filter((request) => request.startsWith('PutObject')).length;
  const doomed = await start(worker);
  await expect
    .poll(() => store.requests.filter((request) => request.startsWith('PutObject')).length, {
      timeout: 60_000,
    })
    .toBeGreaterThan(before);
  await doomed.kill();
  expect((await readdir(join(env.ROWPRESS_DATA_DIR, 'uploads'))).length).toBeGreaterThan(0);
  store.faults.clear();
  await start(worker);
  expect(await settled(caller, body.job_id)).toBe('completed');
  expect(await pdfCount(caller, body.job_id)).toBe(6);
});

test('[BF163] a worker killed between two parts of a ZIP: the next one continues the upload', async () => {
  const store = await startS3Server();
  const { start, client } = await installation(store);
  const secret = { ROWPRESS_SECRET_KEY: 'ab'.repeat(32), ROWPRESS_DELIVERY: 'cloud' };
  const api = await start({ ...secret, ROWPRESS_ROLE: 'api', ROWPRESS_DATA_DIR: temporaryDir() });
  const caller = await client(api);
  // 18 KB per row: three parts.
  const { body } = await caller.create({ rows_json: rowsJson(goodRows(1_000)) });
  const parts = () => store.requests.filter((request) => request.startsWith('UploadPart')).length;
  const stored = () => [...store.contents.uploads.values()].map((upload) => upload.parts.size);
  store.faults.plan('UploadPart', { do: 'hang' }, 100, 1);
  const doomed = await start({ ...secret, ROWPRESS_ROLE: 'worker' });
  await expect.poll(() => [parts(), stored()], { timeout: 60_000 }).toEqual([3, [1]]);
  await doomed.kill();
  store.faults.clear();
  await start({ ...secret, ROWPRESS_ROLE: 'worker' });
  expect(await settled(caller, body.job_id)).toBe('completed');
  expect([parts(), store.contents.uploads.size]).toEqual([5, 0]);
  const response = await caller.fetch(downloadOf(body.job_id));
  expect(response.status).toBe(302);
  const zip = await fetch(response.headers.get('location') ?? '');
  const { files } = openArchive(new Uint8Array(await zip.arrayBuffer()));
  expect(Object.keys(files)).toHaveLength(1_001);
});

test('[TRF1] [TRF2] an installation moved to another object store: its jobs can be downloaded there', async () => {
  const store = await startS3Server({ pageSize: 4 });
  const { env, start, client } = await installation(store);
  const node = await start();
  const caller = await client(node);
  const { body } = await caller.create();
  expect(await settled(caller, body.job_id)).toBe('completed');
  const whole = await bytes(caller, body.job_id);
  const directory = join(temporaryDir(), 'export');
  const exported = await rowpressJson<{ blobs: number }>(['export', directory], env);
  expect(exported.blobs).toBeGreaterThan(3);
  await node.stop();

  const other = await startS3Server();
  const target = {
    ...env,
    ...other.env('moved/here'),
    DATABASE_URL: databaseUrl(await createDatabase('template0')),
    ROWPRESS_DATA_DIR: join(temporaryDir(), 'data'),
  };
  expect(await rowpressJson(['import', directory], target)).toMatchObject({ blobs: exported.blobs });
  const moved = await start(target);
  const there = new BulkfillClient(moved, caller.account, {});
  expect((await bytes(there, body.job_id)).equals(whole)).toBe(true);
});

interface Examined {
  readonly ok: boolean;
  readonly checks: readonly { readonly name: string; readonly state: string; readonly detail: string }[];
}

async function examineStore(env: Record<string, string>) {
  const { stdout } = await rowpress(['doctor', '--json'], { ROWPRESS_DATA_DIR: temporaryDir(), ...env });
  return (JSON.parse(stdout) as Examined).checks.find(({ name }) => name === 'blob store');
}

test('[BLB14] doctor with an object store: writes, reads and deletes a probe, and reports what the store refuses', async () => {
  const store = await startS3Server();
  const env = store.env('installation');
  const place = `s3://rowpress-test/installation at ${store.endpoint}`;
  expect(await examineStore(env)).toMatchObject({
    state: 'ok',
    detail: `${place} can be written, read and deleted`,
  });
  expect([...store.contents.objects.keys()].filter((key) => !key.includes('store-id'))).toEqual([]);

  store.faults.plan('DeleteObject', { do: 'answer', status: 403, code: 'AccessDenied' });
  const forbidden = await examineStore(env);
  expect(forbidden?.state).toBe('failed');
  expect(forbidden?.detail).toMatch(/at DeleteObject: AccessDenied \(403\)\. Allow this key to/);
  const wrong = await examineStore({ ...env, AWS_SECRET_ACCESS_KEY: 'hush-hush' });
  expect(wrong?.state).toBe('failed');
  expect(wrong?.detail).toContain('SignatureDoesNotMatch');
  expect(JSON.stringify(wrong)).not.toContain('hush-hush');
});

test('[FILL146] pictures of a job in an object store: are drawn from a copy on the node', async () => {
  const store = await startS3Server();
  const layout = layoutOf([{ ...box, id: 'p', type: 'image', value: { column: 'column_0' } }]);
  const scene = await openScene({ layout, env: store.env('installation') });
  onTestFinished(() => scene.server.stop());
  const { body } = await scene.client.create({
    rows_json: rowsJson([{ column_0: 'a.jpg' }]),
    assets_file: zipSync({ 'a.jpg': quartersJpeg }),
  });
  expect(body.status).toBe('completed');
  const { manifest } = await scene.client.archive(body.job_id);
  expect(manifest.row_results).toMatchObject([{ status: 'success', warnings: [] }]);
  const copies = await readdir(join(scene.server.env.ROWPRESS_DATA_DIR ?? '', 'blob-copies'));
  expect(copies).toHaveLength(1);
});
