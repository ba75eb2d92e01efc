import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  type BulkfillServer,
  letterPdf,
  nameLayout,
  seal,
  startBulkfillServer,
} from '../support/bulkfill-server.ts';
import { openArchive } from '../support/fill-cli.ts';
import { openBrowser } from '../support/web-page.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const MAX_GZIP_BYTES = 15_000;

let folder: string;
let server: BulkfillServer;
let key: string;

/** `npm pack` of the client, installed into an empty folder. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowpress-client-package-'));
  await run('npm', ['pack', '--workspace', 'clients/typescript', '--pack-destination', folder], {
    cwd: root,
  });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const [archive = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`], { cwd: folder });
  server = await startBulkfillServer();
  ({ key } = await server.account());
  await writeFile(join(folder, 'form.pdf'), letterPdf);
  await writeFile(join(folder, 'form.doqlo'), await seal(nameLayout, letterPdf));
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The quick start of the README, as a program. */
const program = (load: string) => `
${load}
async function main() {
  const rp = new Rowpress({ baseUrl: process.env.ROWPRESS_URL, apiKey: process.env.ROWPRESS_KEY });
  const job = await rp.bulkfill.createAndWait({
    pdf: './form.pdf',
    package: './form.doqlo',
    rows: [{ column_0: 'Alice Nguyen' }, { column_0: 'Bob Okafor' }],
    maxFailedRowPercent: 0,
  });
  const done = await rp.bulkfill.download(job.jobId, process.argv[2]);
  const error = await rp.bulkfill.get('nonsense').catch((reason) => reason);
  const webhook = [RowpressError, verifyWebhook].every((value) => typeof value === 'function');
  console.log(JSON.stringify({ status: job.status, ...done, known: error instanceof RowpressError, code: error.code, webhook }));
}
main();
`;

test('[SDK17] the packed client: has no dependencies and only its built files', async () => {
  const installed = join(folder, 'node_modules');
  expect((await readdir(installed)).filter((name) => !name.startsWith('.'))).toEqual(['@rowpress']);
  const files = await readdir(join(installed, '@rowpress/client'));
  expect(files.sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
});

test('[SDK17] import and require: create a job and leave the ZIP on disk', async () => {
  await writeFile(
    join(folder, 'esm.mjs'),
    program("import { Rowpress, RowpressError, verifyWebhook } from '@rowpress/client';"),
  );
  await writeFile(
    join(folder, 'common.cjs'),
    program("const { Rowpress, RowpressError, verifyWebhook } = require('@rowpress/client');"),
  );
  // `.ci/run` adds the oldest Node that the client supports.
  const nodes = [process.execPath, ...(process.env.ROWPRESS_CLIENT_NODES ?? '').split(' ').filter(Boolean)];
  for (const node of nodes)
    for (const script of ['esm.mjs', 'common.cjs']) {
      const env = { PATH: process.env.PATH, ROWPRESS_URL: server.url, ROWPRESS_KEY: key };
      const { stdout } = await run(node, [script, `${script}.zip`], { cwd: folder, env });
      expect(JSON.parse(stdout), script).toMatchObject({
        status: 'completed',
        verifiedRows: 2,
        known: true,
        code: 'INVALID_JOB_ID',
        webhook: true,
      });
      const zip = openArchive(await readFile(join(folder, `${script}.zip`)));
      expect(zip.manifest.summary).toMatchObject({ success_rows: 2 });
    }
});

test('[SDK17] a page in a browser: creates a job, waits for it and reads the ZIP', async () => {
  const bundle = await readFile(join(folder, 'node_modules/@rowpress/client/dist/esm/rowpress.js'));
  const site = createServer((req, res) => {
    if (req.url === '/page')
      return void res.setHeader('content-type', 'text/html').end('<title>page</title>');
    if (req.url === '/client.js') return void res.setHeader('content-type', 'text/javascript').end(bundle);
    const { method, headers } = req;
    const upstream = request(`${server.url}${req.url}`, { method: method ?? 'GET', headers }, (response) => {
      res.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(res);
    });
    req.pipe(upstream);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void site.close());
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const browser = await openBrowser(url);
  onTestFinished(() => browser.close());
  const page = await browser.open(`${url}/page`);
  const files = [letterPdf, await seal(nameLayout, letterPdf)].map((bytes) =>
    Buffer.from(bytes).toString('base64'),
  );
  const result = await page.evaluate(`(async () => {
    const { Rowpress } = await import('/client.js');
    const [pdf, sealed] = ${JSON.stringify(files)}.map((text) => new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
    const { bulkfill } = new Rowpress({ baseUrl: location.origin, apiKey: ${JSON.stringify(key)} });
    const rows = Array.from({ length: 9000 }, (_, index) => ({ column_0: 'x'.repeat(120) + index }));
    const dry = await bulkfill.createAndWait({ pdf, package: sealed, rows, maxFailedRowPercent: 0, dryRun: true });
    const { jobId } = await bulkfill.create({ pdf, package: sealed, rows: rows.slice(0, 20), maxFailedRowPercent: 0 });
    const job = await bulkfill.wait(jobId);
    const zip = await new Response(await bulkfill.stream(jobId)).arrayBuffer();
    const path = await bulkfill.create({ pdf: './form.pdf', package: sealed, rows: [], maxFailedRowPercent: 0 }).catch((error) => error.message);
    return { dry: dry.status, status: job.status, size: zip.byteLength === job.result.fileSizeBytes, path };
  })()`);
  expect(result).toEqual({
    dry: 'completed',
    status: 'completed',
    size: true,
    path: 'Paths work only in Node, Deno and Bun. Pass a Blob, a Uint8Array or a stream instead.',
  });
  expect(browser.faults).toEqual([]);
});

const consumer = `
import { Rowpress, RowpressError, verifyWebhook, type ExportJob, type Progress } from '@rowpress/client';

interface Person { column_0: string }
interface Sku { source_id: string; name: string }
export async function useInterfaces(rp: Rowpress, rows: Person[], skus: readonly Sku[], stream: AsyncIterable<Sku>) {
  await rp.bulkfill.create({ pdf: './a', package: './b', rows, maxFailedRowPercent: 0 });
  await rp.ingest.upsert('master/skus', skus);
  await rp.ingest.bulkAndWait('master/skus', stream);
}

export async function use(rp: Rowpress): Promise<string> {
  const job: ExportJob = await rp.bulkfill.createAndWait(
    { pdf: new Uint8Array(), package: new Blob([]), rows: [{ column_0: 'a' }], maxFailedRowPercent: 0 },
    { onProgress: (event: Progress) => void event.phase },
  );
  const size: number | undefined = job.result?.fileSizeBytes;
  const failed: number | undefined = job.error?.details?.failedRowCount;
  const imported = await rp.subscribers.importAndWait({
    csvText: 'Email',
    mappings: [{ csvColumn: 'Email', field: { type: 'email' } }],
  });
  const count: number | null = imported.importedCount;
  const file = await rp.subscribers.exportAndWait({ status: 'Active', coldOnly: false });
  const answer = await rp.ingest.upsert('master/skus', [{ source_id: 'A' }], { warehouseId: 'W' });
  for (const { sourceId, status } of answer.results) if (status === 'REJECTED') return sourceId ?? '';
  for await (const row of rp.bulkfill.problemRows(job.jobId)) if (row.rowNumber > 1) return row.message;
  for await (const person of rp.subscribers.list({ coldOnly: true })) if (person.lastOpenedAt === null) return person.email;
  const event = verifyWebhook({ scheme: 'bulkfill', headers: {}, body: '', secret: ['a', 'b'] });
  if (event.event === 'bulkfill.export_job.failed') return event.errorCode;
  const url: string = event.downloadUrl;
  // @ts-expect-error: two row inputs are missing
  void rp.bulkfill.create({ pdf: './a', package: './b', maxFailedRowPercent: 0 });
  // @ts-expect-error: snake_case is the name on the wire
  void job.job_id;
  const error: RowpressError = new RowpressError('x', { code: 'X', status: 0, retry: 'no' });
  return [size, failed, count, file.fileName, url, error.requestId].join();
}
`;

test('[SDK17] strict TypeScript: node16 and bundler resolve the types, with and without the DOM', async () => {
  await writeFile(join(folder, 'consumer.mts'), consumer);
  await writeFile(join(folder, 'consumer.cts'), consumer);
  const compilers = ['node_modules/typescript/bin/tsc', 'clients/typescript/node_modules/typescript/bin/tsc'];
  const common = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
    '--target',
    'es2022',
  ];
  const node = [
    '--lib',
    'es2022,esnext.disposable',
    '--types',
    'node',
    '--typeRoots',
    join(root, 'node_modules/@types'),
  ];
  const modes = {
    node16: ['--module', 'node16', '--moduleResolution', 'node16', '--skipLibCheck', ...node],
    bundler: ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable'],
  };
  for (const compiler of compilers)
    for (const [mode, args] of Object.entries(modes)) {
      const files = mode === 'node16' ? ['consumer.mts', 'consumer.cts'] : ['consumer.mts'];
      const outcome = await run(process.execPath, [join(root, compiler), ...common, ...args, ...files], {
        cwd: folder,
      }).catch((error: { stdout: string }) => error);
      expect(outcome.stdout, `${compiler} ${mode}`).toBe('');
    }
});

test('[SDK17] a bundle of the client: has at most 15 kB (gzip)', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "export * from '@rowpress/client';", resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  console.log(`@rowpress/client: ${bytes} bytes bundled, minified and gzipped`);
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThanOrEqual(MAX_GZIP_BYTES);
});
