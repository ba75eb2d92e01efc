import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { type Clock, ManualClock } from '#lib/clock.ts';
import { BulkfillClient, badRow, openScene, rowsJson } from '../support/bulkfill-client.ts';
import {
  type BulkfillServer,
  letterPdf,
  nameLayout,
  seal,
  startBulkfillServer,
} from '../support/bulkfill-server.ts';
import { databaseUrl, rowpressJson } from '../support/cli.ts';
import { createDatabase } from '../support/database.ts';
import { box, layoutOf } from '../support/fill-cli.ts';
import { IngestClient } from '../support/ingest.ts';
import { startS3Server } from '../support/s3-server/open-s3-blobs.ts';
import { quartersJpeg } from '../support/small-jpeg.ts';
import { ApiClient } from '../support/subscribers-node.ts';
import { EMAIL, exportAll, importCsv, NAME, temporaryDirectory } from '../support/subscribers-scene.ts';

const MARK = 'Zebra Quartz 4711';
const rows = Array.from({ length: 60 }, (_, index) => ({ column_0: `${MARK} ${index}` }));
const ON = { ROWPRESS_ENCRYPT_BLOBS: 'true' };

/** A fixed time for every server, because a manifest contains the time of its job. */
const fixedClock = (): Clock => new ManualClock('2026-03-01T12:00:00Z');

async function scene(env: Record<string, string> = {}) {
  const opened = await openScene({ env, surroundings: { clock: fixedClock() } });
  onTestFinished(() => opened.server.stop());
  return opened;
}

const blobRoot = ({ env }: Pick<BulkfillServer, 'env'>) => join(env.ROWPRESS_DATA_DIR ?? '', 'blobs');

function blobFiles(server: Pick<BulkfillServer, 'env'>): { path: string; bytes: Buffer }[] {
  return readdirSync(blobRoot(server), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[0-9a-f]{64}/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: readFileSync(path) }));
}

const preparedFiles = ({ env }: Pick<BulkfillServer, 'env'>) => {
  const directory = join(env.ROWPRESS_DATA_DIR ?? '', 'prepared');
  return readdirSync(directory).map((name) => readFileSync(join(directory, name)));
};

/** Returns which of these texts a stored file contains. */
const found = (server: Pick<BulkfillServer, 'env'>, ...texts: string[]) =>
  texts.filter((text) => blobFiles(server).some(({ bytes }) => bytes.includes(text)));

const downloadOf = (jobId: string) => `/v1/bulkfill/export-jobs/${jobId}/download`;

async function download(client: BulkfillClient, jobId: string, range?: string) {
  const response = await client.fetch(downloadOf(jobId), { headers: range === undefined ? {} : { range } });
  expect(response.status).toBe(range === undefined ? 200 : 206);
  const { headers } = response;
  return { headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

test('[SEC16] [SEC18] a Bulk Fill job with and without encryption: the same bytes, and only one shows them on disk', async () => {
  const results = [];
  for (const env of [{}, ON]) {
    const { server, client } = await scene(env);
    const { body } = await client.create({ rows_json: rowsJson(rows) });
    expect(body.status).toBe('completed');
    const { bytes, headers } = await download(client, body.job_id);
    const size = bytes.length;
    for (const [start, end] of [
      [0, 1],
      [10, 70_000],
      [65_530, 65_545],
      [size - 9, size],
      [Math.floor(size / 2), size - 3],
    ] as const) {
      const part = await download(client, body.job_id, `bytes=${start}-${end - 1}`);
      expect(part.bytes.equals(bytes.subarray(start, end))).toBe(true);
      expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${size}`);
    }
    const manifest = await client.request(`/v1/bulkfill/export-jobs/${body.job_id}/manifest`);
    results.push({
      zip: bytes.toString('base64'),
      etag: headers.get('etag'),
      length: headers.get('content-length'),
      manifest: manifest.text,
      found: found(server, MARK, '%PDF-'),
      prepared: preparedFiles(server).some((bytes) => bytes.includes('%PDF-')),
      files: blobFiles(server).length,
    });
  }
  const [plain, encrypted] = results;
  expect(plain?.found).toEqual([MARK, '%PDF-']);
  expect(encrypted?.found).toEqual([]);
  expect([plain?.prepared, encrypted?.prepared]).toEqual([true, false]);
  expect({ ...encrypted, found: [], prepared: [] }).toEqual({ ...plain, found: [], prepared: [] });
});

test('[SEC16] [SEC22] pictures of an encrypted ZIP: are drawn from disk and from an object store', async () => {
  const layout = layoutOf([{ ...box, id: 'photo', type: 'image', value: { column: 'column_0' } }]);
  const store = await startS3Server();
  const zips = [];
  for (const env of [{}, ON, { ...ON, ...store.env('installation') }]) {
    const opened = await openScene({ env, layout, surroundings: { clock: fixedClock() } });
    onTestFinished(() => opened.server.stop());
    const { body } = await opened.client.create({
      rows_json: rowsJson([{ column_0: 'one.jpg' }, { column_0: 'two.jpg' }]),
      assets_file: zipSync({
        'one.jpg': quartersJpeg,
        'two.jpg': [new Uint8Array(quartersJpeg), { level: 0 }],
      }),
    });
    expect(body.status).toBe('completed');
    zips.push((await download(opened.client, body.job_id)).bytes.toString('base64'));
    const files = readdirSync(opened.server.env.ROWPRESS_DATA_DIR ?? '', {
      recursive: true,
      withFileTypes: true,
    })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
    const shown = files.some((file) => file.includes(Buffer.from(quartersJpeg)));
    expect(shown).toBe(!('ROWPRESS_ENCRYPT_BLOBS' in env));
  }
  expect(zips[1]).toBe(zips[0]);
  expect(zips[2]).toBe(zips[0]);
  for (const { pieces } of store.contents.objects.values())
    expect(Buffer.concat(pieces).includes('%PDF-')).toBe(false);
});

test('[SEC16] [SEC18] a Subscribers import and export: the same texts and tags, and only one shows them on disk', async () => {
  const email = 'zebra.quartz@example.com';
  const csv = `Email,Name\n${email},${MARK}\nnot an address,${MARK}\n`;
  const results = [];
  for (const env of [{}, ON]) {
    const { server } = await scene(env);
    const api = new ApiClient(server.url, (await server.account({ surface: 'subscribers' })).key);
    const job = await importCsv(api, csv);
    const report = await api.get(new URL(job.failed_rows_url).pathname);
    const { text, response } = await exportAll(api);
    results.push({
      report: report.body as string,
      reportTag: report.headers.get('etag'),
      exported: text,
      exportTag: response.headers.get('etag'),
      found: found(server, MARK, email),
    });
  }
  const [plain, encrypted] = results;
  expect(plain?.exported).toContain(email);
  expect(plain?.report).toContain(MARK);
  expect(plain?.found).toEqual([MARK, email]);
  expect(encrypted?.found).toEqual([]);
  expect({ ...encrypted, found: [] }).toEqual({ ...plain, found: [] });
});

test('[SEC16] an upload and an Ingest load with encryption: work, and do not show on disk', async () => {
  for (const env of [{}, ON]) {
    const { server } = await scene(env);
    const account = await server.account({ surface: 'subscribers' });
    const api = new ApiClient(server.url, account.key);
    const { body: upload } = await api.post('/v1/jobs/subscriber-import-uploads');
    const sent = await fetch(upload.data.upload_url, {
      method: 'PUT',
      headers: { 'content-type': 'text/csv' },
      body: `Email,Name\nada@example.com,${MARK}\n`,
    });
    expect(sent.status).toBe(200);
    const { body: created } = await api.post('/v1/jobs/subscriber-imports', {
      upload_id: upload.data.id,
      mappings: [EMAIL, NAME],
    });
    expect((await api.ended(created.data.self)).status).toBe('Completed');

    const partner = new IngestClient(server.url, (await server.account({ surface: 'ingest' })).key);
    const load = await partner.send('/master/uoms?mode=bulk', [{ source_id: 'EA', name: `Unit of ${MARK}` }]);
    expect(load.status).toBe(202);
    expect(await partner.ended(load.body.job_id)).toMatchObject({ summary: { accepted: 1 } });
    expect(found(server, MARK, `Unit of ${MARK}`)).toEqual(env === ON ? [] : [MARK, `Unit of ${MARK}`]);
  }
});

async function installation() {
  const home = {
    ROWPRESS_DATA_DIR: await temporaryDirectory(),
    DATABASE_URL: databaseUrl(await createDatabase()),
  };
  const start = async (env: Record<string, string> = {}) => {
    const server = await startBulkfillServer({ ...home, ...env });
    onTestFinished(() => server.stop());
    return server;
  };
  return { home, start };
}

const clientOf = (home: Record<string, string>) =>
  rowpressJson<{ key: string; id: string }>(
    ['keys', 'create', '--surface', 'bulkfill', '--account', 'acme'],
    home,
  );

test('[SEC18] switched on, rotated and switched off: every job stays readable and can be retried', async () => {
  const { home, start } = await installation();
  const { key, id } = await clientOf(home);
  const doqlo_file = await seal(nameLayout, letterPdf);
  const usual = { pdf: letterPdf, doqlo_file, max_failed_row_percent: '100' };
  const at = (server: BulkfillServer) =>
    new BulkfillClient(server, { name: 'acme', id, key, keyId: id }, usual);
  const jobs: { id: string; zip: Buffer }[] = [];
  const created = async (client: BulkfillClient, mark: string) => {
    const { body } = await client.create({ rows_json: rowsJson([{ column_0: mark }, badRow]) });
    jobs.push({ id: body.job_id, zip: (await download(client, body.job_id)).bytes });
  };
  for (const [n, env] of [{}, ON, ON, {}].entries()) {
    const server = await start(env);
    const client = at(server);
    for (const job of jobs) expect((await download(client, job.id)).bytes.equals(job.zip)).toBe(true);
    await created(client, `${MARK} ${n}`);
    for (const job of jobs.slice(0, -1)) {
      const retried = await client.request(`/v1/bulkfill/export-jobs/${job.id}/retry`, {
        method: 'POST',
        headers: { 'idempotency-key': randomUUID(), 'content-type': 'application/json' },
        body: JSON.stringify({ rows: [{ row_number: 2, cells: { column_0: 'mended' } }] }),
      });
      expect([retried.status, retried.body.status]).toEqual([200, 'completed']);
    }
    const names = blobFiles(server).map(({ path }) => path.includes('-', path.length - 17));
    expect(names.includes(true)).toBe(n > 0);
    await server.stop();
    if (n === 1) expect(await rowpressJson(['secrets', 'rotate'], home)).toMatchObject({ resealed: 1 });
  }
  expect(jobs).toHaveLength(4);
});

type Outcome = 'right' | 'refused' | 'cut';

/** Returns the result of a download. Fails the test if bytes differ or a truncated download looks complete. */
async function outcomeOf(client: BulkfillClient, jobId: string, whole: Buffer): Promise<Outcome> {
  const response = await client.fetch(downloadOf(jobId));
  if (response.status === 500) {
    expect(await response.json()).toMatchObject({ code: 'STORED_DATA_DAMAGED' });
    return 'refused';
  }
  expect(response.status).toBe(200);
  const parts: Uint8Array[] = [];
  try {
    for await (const part of response.body ?? []) parts.push(part);
  } catch {
    const received = Buffer.concat(parts);
    expect(received.equals(whole.subarray(0, received.length))).toBe(true);
    return 'cut';
  }
  expect(Buffer.concat(parts).equals(whole)).toBe(true);
  return 'right';
}

test('[SEC19] damaged blobs of a finished job: a code before the first byte, a cut connection after it, never other bytes', async () => {
  const { home, start } = await installation();
  const { key, id } = await clientOf(home);
  const usual = {
    pdf: letterPdf,
    doqlo_file: await seal(nameLayout, letterPdf),
    max_failed_row_percent: '100',
  };
  const at = (server: BulkfillServer) =>
    new BulkfillClient(server, { name: 'acme', id, key, keyId: id }, usual);
  const first = await start(ON);
  const { body: job } = await at(first).create({ rows_json: rowsJson([...rows, badRow]) });
  const { bytes: whole } = await download(at(first), job.job_id);
  await first.stop();

  const damages: ((bytes: Buffer) => Buffer)[] = [
    (bytes) => Buffer.from(bytes.map((byte, n) => (n === 0 ? byte ^ 1 : byte))),
    (bytes) => Buffer.from(bytes.map((byte, n) => (n === bytes.length - 1 ? byte ^ 1 : byte))),
    (bytes) => bytes.subarray(0, -1),
    () => Buffer.alloc(0),
  ];
  const seen = new Map<Outcome, number>();
  let refusedRetries = 0;
  const files = blobFiles(first);
  expect(files.length).toBeGreaterThanOrEqual(6);
  // One server for all: it keeps the base in memory, so damage to that file has no effect.
  const server = await start(ON);
  const client = at(server);
  expect(await outcomeOf(client, job.job_id, whole)).toBe('right');
  for (const { path, bytes } of files) {
    for (const damage of damages) {
      writeFileSync(path, damage(bytes));
      const outcome = await outcomeOf(client, job.job_id, whole);
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }
    const retried = await client.request(`/v1/bulkfill/export-jobs/${job.job_id}/retry`, {
      method: 'POST',
      headers: { 'idempotency-key': randomUUID(), 'content-type': 'application/json' },
      body: '{}',
    });
    // The request detects damaged rows; the worker detects other damaged inputs.
    if (retried.body.code === 'STORED_DATA_DAMAGED') refusedRetries += 1;
    else expect(['completed', 'failed']).toContain(retried.body.status);
    writeFileSync(path, bytes);
  }
  expect(seen.get('refused')).toBeGreaterThanOrEqual(2 * damages.length);
  expect((seen.get('cut') ?? 0) + (seen.get('refused') ?? 0)).toBeGreaterThanOrEqual(3 * damages.length);
  expect(refusedRetries).toBe(1);
  expect(await outcomeOf(client, job.job_id, whole)).toBe('right');
});

test('[SEC19] a damaged input of an accepted job: the job fails, and the next one completes', async () => {
  const { home, start } = await installation();
  const { key, id } = await clientOf(home);
  const usual = {
    pdf: letterPdf,
    doqlo_file: await seal(nameLayout, letterPdf),
    max_failed_row_percent: '0',
  };
  const at = (server: BulkfillServer) =>
    new BulkfillClient(server, { name: 'acme', id, key, keyId: id }, usual);
  const front = await start({ ...ON, ROWPRESS_ROLE: 'api', ROWPRESS_SYNC_WAIT_MS: '0' });
  const { status, body } = await at(front).create({ rows_json: rowsJson(rows) });
  expect(status).toBe(202);
  for (const { path, bytes } of blobFiles(front)) writeFileSync(path, bytes.subarray(0, -1));
  const server = await start(ON);
  const ended = async (jobId: string) => {
    await expect
      .poll(async () => (await at(server).get(jobId)).body.status, { timeout: 60_000 })
      .toMatch(/^(completed|failed)$/);
    return (await at(server).get(jobId)).body;
  };
  expect(await ended(body.job_id)).toMatchObject({ status: 'failed', error: { code: 'EXPORT_FAILED' } });
  const { body: next } = await at(server).create({ rows_json: rowsJson(rows) });
  expect(next.status).toBe('completed');
  expect(Object.keys((await at(server).archive(next.job_id)).files)).toHaveLength(rows.length + 1);
});
