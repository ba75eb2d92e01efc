import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ArchiveCheck } from '../../clients/typescript/src/archive-check.ts';
import type { Progress } from '../../clients/typescript/src/progress.ts';
import { Rowpress, type RowpressError } from '../../clients/typescript/src/rowpress.ts';
import {
  type BulkfillServer,
  letterPdf,
  nameLayout,
  seal,
  startBulkfillServer,
} from '../support/bulkfill-server.ts';
import { openArchive } from '../support/fill-cli.ts';

let server: BulkfillServer;
let folder: string;
let sealed: Uint8Array;
let rp: Record<'bulkfill' | 'subscribers' | 'ingest', Rowpress>;

beforeAll(async () => {
  // Long lists would otherwise meet the read limits; a short sync window makes the client wait by events.
  server = await startBulkfillServer();
  folder = await mkdtemp(join(tmpdir(), 'rowpress-client-'));
  sealed = await seal(nameLayout, letterPdf);
  const client = async (surface: string) => {
    const { key } = await server.account({ surface, name: 'acme' });
    return new Rowpress({ baseUrl: `${server.url}/`, apiKey: key });
  };
  rp = {
    bulkfill: await client('bulkfill'),
    subscribers: await client('subscribers'),
    ingest: await client('ingest'),
  };
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const rowsOf = (count: number, name = 'Row') =>
  Array.from({ length: count }, (_, index) => ({ column_0: `${name} ${index + 1}` }));
const files = () => ({ pdf: letterPdf, package: sealed });
const bad = { column_0: {} };
const collect = async <T>(list: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const element of list) all.push(element);
  return all;
};

test('[SDK6] a job from a path, a Blob, bytes or a stream factory: is the same job under one key', async () => {
  const pdf = join(folder, 'form.pdf');
  await writeFile(pdf, letterPdf);
  const options = { idempotencyKey: 'sources' };
  const rest = { package: sealed, rows: rowsOf(3), maxFailedRowPercent: 0 };
  const progress: Progress[] = [];
  const first = await rp.bulkfill.bulkfill.createAndWait(
    { pdf, ...rest },
    { ...options, onProgress: (event) => progress.push(event) },
  );
  expect(first).toMatchObject({ status: 'completed', result: { deliveryMode: 'direct' } });
  const blob = new Blob([letterPdf as Uint8Array<ArrayBuffer>]);
  async function* pieces() {
    for (let at = 0; at < letterPdf.length; at += 100) yield letterPdf.subarray(at, at + 100);
  }
  for (const source of [blob, letterPdf, () => pieces(), () => blob.stream()]) {
    const again = await rp.bulkfill.bulkfill.create({ pdf: source, ...rest }, options);
    expect(again.jobId).toBe(first.jobId);
  }
  const uploaded = progress.filter((event) => event.phase === 'upload');
  expect(uploaded.at(-1)).toMatchObject({ bytes: uploaded[0]?.totalBytes });
});

test('[SDK6] a body above 1 MiB: is streamed with progress, and a failing source is not retried', async () => {
  const rows = rowsOf(20_000, 'x'.repeat(60));
  const progress: number[] = [];
  const job = await rp.bulkfill.bulkfill.createAndWait(
    { ...files(), rows, maxFailedRowPercent: 0, dryRun: true },
    { onProgress: (event) => event.phase === 'upload' && progress.push(event.bytes) },
  );
  expect(job.status).toBe('completed');
  expect(progress.length).toBeGreaterThan(3);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  let opened = 0;
  const broken = () => {
    opened += 1;
    return (async function* () {
      yield letterPdf;
      throw new Error('the disk is gone');
    })();
  };
  const failing = rp.bulkfill.bulkfill.create({ ...files(), pdf: broken, rows, maxFailedRowPercent: 0 });
  await expect(failing).rejects.toThrow('the disk is gone');
  expect(opened).toBe(1);
});

test('[SDK7] a job that outlasts the wait of its create: is followed by its events', async () => {
  const progress: Progress[] = [];
  const onProgress = (event: Progress) => progress.push(event);
  const { jobId } = await rp.bulkfill.bulkfill.create({
    ...files(),
    rows: rowsOf(4000),
    maxFailedRowPercent: 0,
  });
  const job = await rp.bulkfill.bulkfill.wait(jobId, { onProgress });
  expect(job).toMatchObject({ jobId, status: 'completed' });
  expect(progress.at(-1)).toMatchObject({ phase: 'job', status: 'completed' });
});

test('[SDK8] [BF170] [BF230] a ZIP with a PDF of all rows: every PDF is checked, and a changed one is rejected', async () => {
  const { bulkfill } = rp.bulkfill;
  const job = await bulkfill.createAndWait({
    ...files(),
    rows: rowsOf(3),
    maxFailedRowPercent: 0,
    output: 'both',
    duplex: true,
  });
  const path = join(folder, 'both.zip');
  expect(await bulkfill.download(job.jobId, path)).toMatchObject({ verifiedRows: 3 });
  const zip = await readFile(path);
  const alone = join(folder, 'merged.pdf');
  const { bytes } = await bulkfill.downloadMerged(job.jobId, alone);
  const pdf = await readFile(alone);
  expect(pdf.length).toBe(bytes);
  const { merged, options } = await bulkfill.manifest(job.jobId);
  expect(createHash('sha256').update(pdf).digest('hex')).toBe(merged?.sha256);
  expect(options).toMatchObject({ duplex: true });
  const changed = new ArchiveCheck();
  // A byte of a bookmark, which is in the PDF of all rows only.
  const at = zip.indexOf('/Title <feff') + '/Title <feff'.length;
  zip[at] = zip[at] === 0x30 ? 0x31 : 0x30;
  await changed.push(zip);
  await expect(changed.finish()).rejects.toThrow('merged.pdf does not have the SHA-256 of the manifest');
});

test('[SDK11] [BF175] a sheet of labels: its members have the names of the API', async () => {
  const { bulkfill } = rp.bulkfill;
  const grid = { width: 600, height: 800, columns: 2, rows: 1, marginLeft: 0, marginTop: 0 };
  const job = await bulkfill.createAndWait({
    ...files(),
    rows: rowsOf(3),
    maxFailedRowPercent: 0,
    output: 'merged',
    sheet: { ...grid, pitchX: 300, pitchY: 400, labelWidth: 290, skip: 1, order: 'down' },
  });
  const manifest = await bulkfill.manifest(job.jobId);
  expect(manifest.options).toMatchObject({ sheet: { pitchX: 300, labelWidth: 290, skip: 1, order: 'down' } });
  expect(manifest.rowResults.map(({ firstPage }) => firstPage)).toEqual([1, 2, 2]);
});

test('[SDK8] [BF180] a ZIP of encrypted rows: every PDF is checked', async () => {
  const { bulkfill } = rp.bulkfill;
  const passwordColumn = 'column_0';
  const job = await bulkfill.createAndWait({
    ...files(),
    rows: rowsOf(3),
    maxFailedRowPercent: 0,
    passwordColumn,
  });
  const path = join(folder, 'encrypted.zip');
  expect(await bulkfill.download(job.jobId, path)).toMatchObject({ verifiedRows: 3 });
  expect((await readFile(path)).includes('/CFM/AESV3')).toBe(true);
});

test('[SDK8] [BF237] verifyColumn: is sent as verify_column, which this server has switched off', async () => {
  const input = { ...files(), rows: rowsOf(1), maxFailedRowPercent: 0, verifyColumn: 'column_0' };
  await expect(rp.bulkfill.bulkfill.create(input)).rejects.toMatchObject({
    code: 'INVALID_FIELD',
    message: expect.stringMatching(/^verify_column needs/),
  });
});

test('[SEC28] [BF220] a signed manifest: a download requires the key that signed it', async () => {
  const { bulkfill } = rp.bulkfill;
  const input = { ...files(), rows: rowsOf(3), maxFailedRowPercent: 0 };
  const signed = await bulkfill.createAndWait({ ...input, signManifest: true });
  const seals = (await (await fetch(`${server.url}/seals/list.json`)).json()) as {
    keys: { public_key: string }[];
  };
  const signedBy = ['00'.repeat(32), ...seals.keys.map(({ public_key }) => public_key.toUpperCase())];
  const path = join(folder, 'signed.zip');
  expect(await bulkfill.download(signed.jobId, path, { signedBy })).toMatchObject({ verifiedRows: 3 });
  const refused = { code: 'SIGNATURE_NOT_TRUSTED', retry: 'no' };
  const other = join(folder, 'other.zip');
  await expect(bulkfill.download(signed.jobId, other, { signedBy: ['00'.repeat(32)] })).rejects.toMatchObject(
    {
      ...refused,
      message: expect.stringContaining('another key'),
    },
  );
  const plain = await bulkfill.createAndWait(input);
  await expect(bulkfill.download(plain.jobId, other, { signedBy })).rejects.toMatchObject({
    ...refused,
    message: expect.stringContaining('not signed'),
  });
  expect(await readdir(folder)).not.toContain('other.zip');
});

test('[SDK8] [SDK10] a download and its problem rows: the ZIP is complete, and every problem is listed', async () => {
  const { bulkfill } = rp.bulkfill;
  const rows = [...rowsOf(1200), bad, bad];
  const job = await bulkfill.createAndWait({ ...files(), rows, maxFailedRowPercent: 50 });
  const path = join(folder, 'out.zip');
  const done = await bulkfill.download(job.jobId, path);
  expect(done).toEqual({ bytes: job.result?.fileSizeBytes, verifiedRows: 1200 });
  expect(await readdir(folder)).not.toContain('out.zip.part');
  const bytes = await readFile(path);
  expect(openArchive(bytes).manifest.summary).toMatchObject({ success_rows: 1200, failed_rows: 2 });
  const streamed = await new Response(await bulkfill.stream(job.jobId)).arrayBuffer();
  expect(Buffer.from(streamed).equals(bytes)).toBe(true);
  const problems = await collect(bulkfill.problemRows(job.jobId));
  expect(problems.map(({ rowNumber, status, code }) => [rowNumber, status, code])).toEqual([
    [1201, 'failed', 'ROW_VALUE_INVALID'],
    [1202, 'failed', 'ROW_VALUE_INVALID'],
  ]);
  const manifest = await bulkfill.manifest(job.jobId);
  expect(manifest.rowResults).toHaveLength(1202);
  expect((await new Response(await bulkfill.rowPdf(job.jobId, 1)).text()).slice(0, 5)).toBe('%PDF-');
  expect((await collect(bulkfill.list())).map(({ jobId }) => jobId)).toContain(job.jobId);
});

test('[SDK5] a job whose rows fail: is returned, and its failed rows can be corrected and retried', async () => {
  const { bulkfill } = rp.bulkfill;
  const rows = [...rowsOf(2, 'Good'), bad];
  const failed = await bulkfill.createAndWait(
    { ...files(), rows, maxFailedRowPercent: 0 },
    { idempotencyKey: 'fails' },
  );
  expect(failed).toMatchObject({
    status: 'failed',
    error: { code: 'FAILED_ROW_THRESHOLD_EXCEEDED', details: { failedRowCount: 1, maxFailedRowPercent: 0 } },
  });
  expect(await bulkfill.idempotencyKey('fails')).toMatchObject({ jobId: failed.jobId });
  const cells = { column_0: 'Corrected' };
  const again = await bulkfill.retryAndWait(failed.jobId, { rows: [{ rowNumber: 3, cells }] });
  expect(again.status).toBe('completed');
  expect((await bulkfill.cancel(again.jobId)).status).toBe('completed');
  const error = (await bulkfill
    .download(again.jobId, join(folder, 'x.zip'))
    .catch((e) => e)) as RowpressError;
  expect(error).toMatchObject({ code: 'EXPORT_DELIVERY_NOT_FOUND', status: 404, retry: 'no' });
});

test('[SDK21] a project on the server: is filled by its name, updated, read and deleted', async () => {
  const { bulkfill } = rp.bulkfill;
  const { projects } = bulkfill;
  const made = await projects.create({ name: 'Letter', ...files() });
  expect(made).toMatchObject({ name: 'Letter', version: 1, pageCount: 1 });
  const rows = [{ column_0: 'Ann' }];
  const input = { project: 'Letter', rows, matchColumns: 'label', maxFailedRowPercent: 0 } as const;
  const job = await bulkfill.createAndWait(input);
  expect(job.status).toBe('completed');
  expect(await bulkfill.download(job.jobId, join(folder, 'project.zip'))).toMatchObject({ verifiedRows: 1 });
  expect(await projects.rowSchema(made.projectId)).toMatchObject({ type: 'object' });
  expect(await projects.sampleCsv(made.projectId)).toMatch(/\n/);
  const pdf = await new Response(await projects.pdf(made.projectId)).arrayBuffer();
  expect(Buffer.from(pdf).equals(letterPdf)).toBe(true);
  const updated = await projects.update(made.projectId, { name: 'Note' }, { ifVersion: 1 });
  expect(updated).toMatchObject({ name: 'Note', version: 2 });
  const stale = await projects
    .update(made.projectId, { name: 'x' }, { ifVersion: 1 })
    .catch((error) => error);
  expect(stale).toMatchObject({ code: 'PRECONDITION_FAILED', status: 412 });
  expect(await collect(projects.versions(made.projectId))).toHaveLength(2);
  expect((await collect(projects.list())).map(({ name }) => name)).toEqual(['Note']);
  await projects.delete(made.projectId);
  expect(await collect(projects.list())).toEqual([]);
});

test('[SDK11] custom fields of subscribers: keep their names, all other members are camelCase', async () => {
  const { subscribers } = rp.subscribers;
  const field = await subscribers.customFields.create({ label: 'shoe_size', type: 'Text' });
  const made = await subscribers.upsert({
    email: 'a@x.example',
    customFields: { [field.id]: '44' },
    newTags: ['vip'],
  });
  expect(made).toMatchObject({
    email: 'a@x.example',
    customFields: { [field.id]: '44' },
    lastOpenedAt: null,
  });
  expect(await subscribers.update(made.id, { name: 'Ann' })).toMatchObject({ name: 'Ann' });
  expect((await subscribers.setStatus(made.id, 'Unsubscribed')).status).toBe('Unsubscribed');
  const [tag] = await collect(subscribers.tags.list());
  expect(tag).toMatchObject({ name: 'vip', subscriberCount: 1 });
  await subscribers.removeTag(made.id, tag?.id ?? '');
  await subscribers.delete(made.id);
  expect(await subscribers.workspace()).toMatchObject({ id: expect.any(String) });
});

test('[SDK14] an import and an export: return counts and the file, and long lists are read to their end', async () => {
  const { subscribers } = rp.subscribers;
  const lines = Array.from({ length: 230 }, (_, index) => `p${index}@x.example,Person ${index}`);
  const csvText = ['Email,Name', ...lines, 'no-email,Nobody'].join('\n');
  const mappings = [
    { csvColumn: 'Email', field: { type: 'email' as const } },
    { csvColumn: 'Name', field: { type: 'name' as const } },
  ];
  const imported = await subscribers.importAndWait({ csvText, mappings }, { idempotencyKey: 'list-1' });
  expect(imported).toMatchObject({ status: 'Completed', importedCount: 230, failedCount: 1 });
  expect(await new Response(await subscribers.failedRows(imported.id)).text()).toContain('no-email');

  const path = join(folder, 'people.csv');
  await writeFile(path, csvText);
  const same = await subscribers.importAndWait({ file: path, mappings }, { idempotencyKey: 'list-1' });
  expect(same.id).toBe(imported.id);
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(csvText, 'utf16le')]);
  const short = mappings.map(({ csvColumn, field }) => ({ csvColumn, field: field.type }));
  const named = await subscribers.importAndWait({ csvText, mappings: short }, { idempotencyKey: 'list-1' });
  expect(named.id).toBe(imported.id);
  const uploaded = await subscribers.importAndWait({ file: utf16, fileName: 'people.csv', mappings });
  expect(uploaded).toMatchObject({ status: 'Completed', importedCount: 230, unchangedCount: 230 });
  expect((await collect(subscribers.imports())).map(({ id }) => id)).toEqual([uploaded.id, imported.id]);

  expect(await collect(subscribers.list({ search: 'x.example' }))).toHaveLength(230);
  const file = await subscribers.exportAndWait({ query: 'x.example' });
  expect(file).toMatchObject({ status: 'Completed', exportedCount: 230 });
  expect(JSON.parse(JSON.stringify(file))).not.toHaveProperty('text');
  expect((await file.text()).trim().split(/\r?\n/)).toHaveLength(231);
  const target = join(folder, 'export.csv');
  await file.download(target);
  expect(await readFile(target, 'utf8')).toBe(await file.text());
});

test('[SDK15] items: upsert, bulk load, refresh and quarantine return the result of every item', async () => {
  const { ingest } = rp.ingest;
  const uoms = await ingest.upsert('master/uoms', [{ source_id: 'EA', name: 'Each' }]);
  expect(uoms.summary).toEqual({ accepted: 1, replay: 0, quarantined: 0, rejected: 0 });
  const correlationId = '6f1c1f3e-5d6f-4a30-9a3e-1b2c3d4e5f60';
  const items = [
    { source_id: 'a/1', name: 'One', base_uom: 'EA', attributes: { shelf_life: 3 } },
    { source_id: 'b', name: 'Two', base_uom: 'NONE' },
  ];
  const answer = await ingest.upsert('master/skus', items, { correlationId });
  expect(answer.results).toMatchObject([
    { sourceId: 'a/1', status: 'ACCEPTED' },
    { sourceId: 'b', status: 'QUARANTINED', quarantineId: expect.any(String) },
  ]);
  expect(await ingest.upsert('master/skus', items, { correlationId })).toEqual(answer);
  expect(await ingest.request(correlationId)).toMatchObject({ status: 200, response: answer });
  const stored = await ingest.item('master/skus', 'a/1');
  expect(stored).toMatchObject({ sourceId: 'a/1', item: { base_uom: 'EA', attributes: { shelf_life: 3 } } });
  expect(await ingest.mappingByInternalId(stored.internalId)).toMatchObject({ sourceId: 'a/1' });
  const [change] = await collect(ingest.history('master/skus', 'a/1'));
  expect(change).toMatchObject({ change: 'CREATED', correlationId, after: { base_uom: 'EA' } });

  const [record] = await collect(ingest.quarantine.list({ status: 'OPEN' }));
  expect(record).toMatchObject({ sourceId: 'b', item: { base_uom: 'NONE' } });
  const id = record?.quarantineId ?? '';
  expect(await ingest.quarantine.release(id)).toMatchObject({ status: 'RELEASED' });
  const conflict = (await ingest.quarantine.discard(id).catch((error) => error)) as RowpressError;
  expect(conflict).toMatchObject({ code: 'state-conflict', status: 409 });

  const many = Array.from({ length: 1500 }, (_, n) => ({
    source_id: `s${n}`,
    name: `S ${n}`,
    base_uom: 'EA',
  }));
  async function* stream() {
    yield* many;
  }
  for (const source of [many, stream(), () => stream()]) {
    const load = await ingest.bulkAndWait('master/skus', source);
    expect(load).toMatchObject({ status: 'COMPLETED', progress: { processed: 1500 } });
    expect(await collect(ingest.results(load.jobId))).toHaveLength(1500);
  }
  const big = many.concat(
    Array.from({ length: 4000 }, (_, n) => ({ source_id: `t${n}`, name: 'T', base_uom: 'EA' })),
  );
  const collected = await ingest.upsert('master/skus', big);
  expect(collected.results).toHaveLength(5500);
  const refreshed = await ingest.refreshAndWait('master/skus', many);
  expect(refreshed).toMatchObject({ tombstoned: 4002 });
  expect((await ingest.capabilities()).bulkAsyncThreshold).toBe(5000);
});
