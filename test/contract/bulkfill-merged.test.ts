import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BulkfillClient, openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';
import { seal } from '../support/bulkfill-server.ts';
import { box, fillArguments, layoutOf, openArchive, sha256 } from '../support/fill-cli.ts';
import { saveProject } from '../support/projects.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { cliSandbox } from '../support/run-cli.ts';
import { quartersJpeg, turnedJpeg } from '../support/small-jpeg.ts';
import { sourcePdf } from '../support/source-pdf.ts';

/** Two pages, a form field and pictures: everything that a row can add to a merged PDF. */
const pdf = sourcePdf({
  pages: [{}, {}],
  fields: [{ name: 'employee', kind: 'text', rects: [[72, 600, 300, 620]] }],
});
const layout = layoutOf(
  [
    { id: 'name', type: 'text', ...box, value: { column: 'column_0' } },
    { id: 'second', type: 'text', ...box, page: 2, value: { template: 'page two of {{column_0}}' } },
    { id: 'photo', type: 'image', ...box, y: 300, width: 60, height: 60, value: { column: 'column_1' } },
  ],
  { form_fields: [{ id: 'f', field: 'employee', value: { column: 'column_0' } }] },
);
const assets_file = zipSync({ 'a.jpg': quartersJpeg, 'b.jpg': turnedJpeg(quartersJpeg, 6) });

let scene: Scene;
let client: BulkfillClient;
beforeAll(async () => {
  scene = await openScene({ pdf, layout });
  client = scene.client;
});
afterAll(() => scene.server.stop());

const rows = [
  { column_0: 'Ada', column_1: 'a.jpg' },
  { column_0: {}, column_1: 'a.jpg' },
  { column_0: 'Żółć', column_1: 'a.jpg' },
  { column_0: 'Dan', column_1: 'b.jpg' },
];
const fields = { rows_json: rowsJson(rows), assets_file, max_failed_row_percent: '50' };
const urlOf = (jobId: string) => `/v1/bulkfill/export-jobs/${jobId}/merged.pdf`;
const mergedOf = async (jobId: string) =>
  new Uint8Array(await (await client.fetch(urlOf(jobId))).arrayBuffer());
const created = async (more: Record<string, string | Uint8Array>) =>
  (await client.create({ ...fields, ...more })).body;

/** Reads the PDF in overlapping parts, which begin and end within rows and slices. */
async function expectRanges(jobId: string, whole: Buffer): Promise<void> {
  const step = Math.ceil(whole.length / 23);
  for (let start = 0; start < whole.length; start += step) {
    const end = Math.min(whole.length, start + step + 5) - 1;
    const part = await client.fetch(urlOf(jobId), {
      headers: { range: `bytes=${start}-${end}`, 'if-range': `"${sha256(whole)}"` },
    });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes ${start}-${end}/${whole.length}`,
    ]);
    const bytes = Buffer.from(await part.arrayBuffer());
    expect(bytes.equals(whole.subarray(start, end + 1)), `${start}-${end}`).toBe(true);
  }
}

describe('output', () => {
  it('[BF170][BF171] merged: the ZIP has merged.pdf and a manifest with the first page of each row', async () => {
    const job = await created({ output: 'merged' });
    const { files, manifest } = await client.archive(job.job_id);
    expect(Object.keys(files)).toEqual(['merged.pdf', 'manifest.json']);
    const merged = files['merged.pdf'] ?? new Uint8Array();
    expect(manifest).toMatchObject({
      options: { output: 'merged', flatten_forms: true },
      merged: { file_name: 'merged.pdf', page_count: 6, sha256: sha256(merged) },
      summary: { produced_rows: 3, failed_rows: 1 },
    });
    expect(manifest.row_results).toMatchObject([
      { status: 'success', file_name: null, sha256: null, first_page: 1 },
      { status: 'failed', file_name: null, sha256: null, first_page: null },
      { status: 'success', file_name: null, sha256: null, first_page: 3 },
      { status: 'success', file_name: null, sha256: null, first_page: 5 },
    ]);
    const texts = await pageTexts(merged);
    expect(texts).toHaveLength(6);
    for (const [page, text] of [
      [0, 'Ada'],
      [1, 'page two of Ada'],
      [2, 'Żółć'],
      [5, 'page two of Dan'],
    ] as const)
      expect(texts[page]).toContain(text);
    // The field and the overlay both show the name.
    expect(texts[0]?.match(/Ada/g)).toHaveLength(2);
    expect(
      Buffer.from(merged)
        .toString('latin1')
        .match(/\/Title </g),
    ).toHaveLength(3);
    expect(
      Buffer.from(merged)
        .toString('latin1')
        .match(/\/Subtype\/Image/g),
    ).toHaveLength(2);
  });

  it('[BF170] both: the same merged.pdf, and the flattened PDF of each row', async () => {
    const job = await created({ output: 'both' });
    const { files, manifest } = await client.archive(job.job_id);
    expect(Object.keys(files)).toEqual([
      'row_1.pdf',
      'row_3.pdf',
      'row_4.pdf',
      'merged.pdf',
      'manifest.json',
    ]);
    const merged = await created({ output: 'merged' });
    expect(sha256(files['merged.pdf'])).toBe(sha256(await mergedOf(merged.job_id)));
    const flat = await client.archive((await created({ flatten_forms: 'true' })).job_id);
    for (const row of manifest.row_results) {
      if (row.file_name === null) continue;
      expect(sha256(files[row.file_name])).toBe(row.sha256);
      expect(row.sha256).toBe(sha256(flat.files[row.file_name]));
    }
    const row = await client.fetch(`/v1/bulkfill/export-jobs/${job.job_id}/rows/3.pdf`);
    expect(sha256(new Uint8Array(await row.arrayBuffer()))).toBe(sha256(files['row_3.pdf']));
  });

  it('[BF172] merged.pdf: the bytes of the ZIP, whole and by any range, with its tag', async () => {
    const job = await created({ output: 'both', filename_columns: '["column_0"]' });
    const { files } = await client.archive(job.job_id);
    const whole = Buffer.from(files['merged.pdf'] ?? []);
    const response = await client.fetch(urlOf(job.job_id));
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('accept-ranges')).toBe('bytes');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[^"]+\.pdf"/);
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toBe(`"${sha256(whole)}"`);
    expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(sha256(whole));
    await expectRanges(job.job_id, whole);
    const head = await client.fetch(urlOf(job.job_id), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.length)]);
    const known = await client.fetch(urlOf(job.job_id), { headers: { 'if-none-match': etag } });
    expect(known.status).toBe(304);
  });

  it('[BF172] a job without a merged PDF: merged.pdf is 404', async () => {
    const onlyBad = rowsJson([{ column_0: {}, column_1: '' }]);
    const jobs = [
      await created({}),
      await created({ output: 'merged', dry_run: 'true' }),
      await created({ output: 'merged', rows_json: onlyBad, max_failed_row_percent: '100' }),
    ];
    for (const { job_id, status } of jobs) {
      expect(status).toBe('completed');
      const response = await client.fetch(urlOf(job_id));
      expect([response.status, await response.json()]).toMatchObject([
        404,
        {
          code: 'EXPORT_DELIVERY_NOT_FOUND',
          message:
            'This job has no merged PDF: its output is not merged or both, it is a dry run, or all of its rows failed.',
        },
      ]);
    }
    const { files } = await client.archive(jobs[2]?.job_id ?? '');
    expect(Object.keys(files)).toEqual(['manifest.json']);
  });

  it('[BF173] the default, sent or not: the same request; another output: another request', async () => {
    const key = { key: 'output-identity' };
    const first = await client.create({ ...fields }, key);
    const same = await client.create({ ...fields, output: 'zip' }, key);
    expect([same.status, same.body.job_id]).toEqual([200, first.body.job_id]);
    const other = await client.create({ ...fields, output: 'merged' }, key);
    expect([other.status, other.body]).toMatchObject([409, { differs_in: ['flatten_forms', 'output'] }]);
  });

  it('[BF173] an unknown output: 400', async () => {
    const { status, body } = await client.create({ ...fields, output: 'pdf' });
    expect([status, body]).toMatchObject([
      400,
      { code: 'INVALID_FIELD', message: 'output must be zip, merged or both, but is "pdf".' },
    ]);
  });

  it('[BF172] [BF174] more rows than one slice: the bytes of `rowpress fill --output-kind` and `--merge`', async () => {
    const many = Array.from({ length: 250 }, (_, index) => ({
      column_0: index === 120 ? {} : `Person ${index}`,
      column_1: index % 3 === 0 ? 'a.jpg' : 'b.jpg',
    }));
    const sandbox = await cliSandbox();
    try {
      await sandbox.write('source.pdf', pdf);
      await sandbox.write('layout.doqlo', client.usual.doqlo_file as Uint8Array);
      await sandbox.write('rows.json', many);
      await sandbox.write('assets.zip', assets_file);
      for (const output of ['merged', 'both']) {
        const job = await created({ output, rows_json: rowsJson(many) });
        const run = await sandbox.run(
          [
            ...fillArguments('layout.doqlo', 'rows.json', '--assets', 'assets.zip'),
            ...['-o', 'out.zip', '--merge', 'merged.pdf'],
            ...['--timestamp', job.created_at, '--max-failed-row-percent', '50', '--output-kind', output],
          ],
          { ROWPRESS_SEAL_KEY: scene.server.env.ROWPRESS_SEAL_KEY ?? '' },
        );
        expect([run.status, run.stderr]).toEqual([0, expect.any(String)]);
        const ours = await client.archive(job.job_id);
        const theirs = openArchive(await sandbox.read('out.zip'));
        expect(ours.manifest).toEqual(theirs.manifest);
        expect(sha256(ours.bytes)).toBe(sha256(theirs.bytes));
        expect(sha256(await sandbox.read('merged.pdf'))).toBe(sha256(theirs.files['merged.pdf']));
        await expectRanges(job.job_id, Buffer.from(theirs.files['merged.pdf'] ?? []));
        const verified = await sandbox.run(['verify', 'out.zip', '--json']);
        expect(JSON.parse(verified.stdout)).toMatchObject({
          verified: output === 'both' ? 249 : 0,
          rows_without_pdf: 1,
          merged: { file_name: 'merged.pdf', rows: 249, ok: true },
        });
        const files = output === 'both' ? '249 PDFs of 250 rows and ' : '';
        expect((await sandbox.run(['verify', 'out.zip'])).stdout).toBe(
          `out.zip is intact: ${files}merged.pdf with 249 of 250 rows verified; 1 row failed and has no PDF, as the manifest says.\n`,
        );
      }
      const text = Buffer.from(await sandbox.read('merged.pdf')).toString('latin1');
      expect(text.match(/\/Subtype\/Image/g)).toHaveLength(2);
      expect(await pageTexts(await sandbox.read('merged.pdf'))).toHaveLength(2 * 249);
    } finally {
      await sandbox.remove();
    }
  });

  it('[BF170] a JSON create with output, and a retry: a merged PDF of their rows', async () => {
    const job = await created({ output: 'merged' });
    const retry = await client.fetch(`/v1/bulkfill/export-jobs/${job.job_id}/retry`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'merged-retry', prefer: 'wait=30' },
      body: JSON.stringify({ rows: [{ row_number: 2, cells: { column_0: 'Bea', column_1: 'b.jpg' } }] }),
    });
    const { job_id } = (await retry.json()) as { job_id: string };
    const texts = await pageTexts(await mergedOf(job_id));
    expect(texts).toHaveLength(2);
    expect(texts[1]).toContain('page two of Bea');

    const doqlo_file = await seal(layout, pdf);
    await saveProject(
      client,
      '/v1/bulkfill/projects',
      { name: 'Merged', pdf, doqlo_file },
      { method: 'POST', headers: { 'idempotency-key': 'merged-project' } },
    );
    const response = await client.fetch('/v1/bulkfill/export-jobs', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'merged-json', prefer: 'wait=30' },
      body: JSON.stringify({
        project: 'Merged',
        rows: [{ column_0: 'Cy' }],
        max_failed_row_percent: 0,
        output: 'merged',
        match_columns: 'position',
      }),
    });
    const json = (await response.json()) as { job_id: string };
    expect((await pageTexts(await mergedOf(json.job_id)))[1]).toContain('page two of Cy');
  });
});
