import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BulkfillClient, openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';
import { box, fillArguments, layoutOf, openArchive, sha256, submitArguments } from '../support/fill-cli.ts';
import { saveProject } from '../support/projects.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { quartersJpeg, turnedJpeg } from '../support/small-jpeg.ts';
import { sourcePdf } from '../support/source-pdf.ts';

/** Two pages, a form field and pictures: only those of page 1 are on a label. */
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
let sandbox: CliSandbox;
beforeAll(async () => {
  scene = await openScene({ pdf, layout });
  client = scene.client;
  sandbox = await cliSandbox();
});
afterAll(async () => {
  await scene.server.stop();
  await sandbox.remove();
});

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    column_0: index === 2 ? {} : `Person${index}`,
    column_1: index % 3 === 0 ? 'a.jpg' : 'b.jpg',
  }));
const urlOf = (jobId: string) => `/v1/bulkfill/export-jobs/${jobId}/merged.pdf`;
const fields = { rows_json: rowsJson(rowsOf(12)), assets_file, max_failed_row_percent: '50' };
const created = async (more: Record<string, string | Uint8Array>, key?: string) =>
  client.create({ ...fields, ...more }, key === undefined ? {} : { key });
const geometry = {
  ...{ width: 600, height: 800, columns: 2, rows: 2, margin_left: 0, margin_top: 0 },
  ...{ pitch_x: 300, pitch_y: 400 },
};

/** Person0, …: the rows on each sheet. */
const namesOf = async (bytes: Uint8Array) =>
  (await pageTexts(bytes)).map((text) => [...new Set(text.match(/Person\d+/g))]);

describe('sheet', () => {
  it('[BF175] [BF178] [BF179] merged: rows on sheets, with the sheet of each row in the manifest', async () => {
    const sheet = JSON.stringify({ ...geometry, skip: 3 });
    const { body } = await created({ output: 'merged', sheet });
    const { files, manifest } = await client.archive(body.job_id);
    const merged = files['merged.pdf'] ?? new Uint8Array();
    expect(manifest).toMatchObject({
      options: {
        output: 'merged',
        sheet: { ...geometry, label_width: 300, label_height: 400, skip: 3, order: 'across', marks: false },
      },
      merged: { page_count: 4, sha256: sha256(merged) },
    });
    const firstPages = manifest.row_results.map((row) => row.first_page);
    expect(firstPages).toEqual([1, 2, null, 2, 2, 2, 3, 3, 3, 3, 4, 4]);
    expect(await namesOf(merged)).toEqual([
      ['Person0'],
      ['Person1', 'Person3', 'Person4', 'Person5'],
      ['Person6', 'Person7', 'Person8', 'Person9'],
      ['Person10', 'Person11'],
    ]);
    const texts = (await pageTexts(merged)).join();
    expect(texts).not.toContain('page two');
    // The field and the overlay both show the name.
    expect(texts.match(/Person0/g)).toHaveLength(2);
    const text = Buffer.from(merged).toString('latin1');
    expect(text.match(/\/Subtype\/Image/g)).toHaveLength(2);
    expect(text.match(/\/Title </g)).toHaveLength(11);
  });

  it('[BF175] order down: fills columns first; both: the rows keep their own PDFs', async () => {
    const sheet = JSON.stringify({ ...geometry, columns: 1, order: 'down', marks: true });
    const { body } = await created({ output: 'both', sheet });
    const { files, manifest } = await client.archive(body.job_id);
    expect(Object.keys(files)).toHaveLength(11 + 2);
    expect(manifest.merged).toMatchObject({ page_count: 6 });
    expect((await pageTexts(files['row_1.pdf'] ?? new Uint8Array()))[1]).toContain('page two of Person0');
  });

  it('[BF177] GET /sheets: lists the presets with their geometry', async () => {
    const response = await client.fetch('/v1/bulkfill/sheets');
    const { data } = (await response.json()) as { data: { preset: string; [member: string]: unknown }[] };
    expect([response.status, data.length >= 30]).toEqual([200, true]);
    expect(data.find(({ preset }) => preset === 'avery-5160')).toEqual({
      ...{ preset: 'avery-5160', paper: 'Letter', width: 612, height: 792, columns: 3, rows: 10 },
      ...{ margin_left: 13.5, margin_top: 36, pitch_x: 198, pitch_y: 72, label_width: 189, label_height: 72 },
    });
  });

  it('[BF178] a preset, its geometry and its defaults: the same request; no sheet: another one', async () => {
    const first = await created({ output: 'merged', sheet: '{"preset":"avery-5163"}' }, 'sheet-identity');
    const listed = await (await client.fetch('/v1/bulkfill/sheets')).json();
    const { preset, paper, ...own } = (listed as { data: Record<string, unknown>[] }).data.find(
      (one) => one.preset === 'avery-5163',
    ) as Record<string, unknown>;
    expect([preset, paper]).toEqual(['avery-5163', 'Letter']);
    const sheet = JSON.stringify({ skip: 0, marks: false, order: 'across', ...own }, null, 2);
    const same = await created({ output: 'merged', sheet }, 'sheet-identity');
    expect([same.status, same.body.job_id]).toEqual([200, first.body.job_id]);
    for (const other of [{}, { sheet: '{"preset":"avery-5163","skip":1}' }]) {
      const { status, body } = await created({ output: 'merged', ...other }, 'sheet-identity');
      expect([status, body]).toMatchObject([409, { differs_in: ['sheet'] }]);
    }
  });

  it.each([
    ['sheet.columns must be an integer', { ...geometry, columns: -1 }],
    ['sheet.width is 600 points, but the labels end at 900 points.', { ...geometry, columns: 3 }],
    ['sheet.preset must be', { preset: 'avery-unknown' }],
  ])('[BF176] bad geometry: 400, %s', async (message, sheet) => {
    const { status, body } = await created({ output: 'merged', sheet: JSON.stringify(sheet) });
    expect([status, body]).toMatchObject([
      400,
      { code: 'INVALID_FIELD', message: expect.stringContaining(message) },
    ]);
  });

  it('[BF176] sheet that is not JSON, or without a merged PDF: 400', async () => {
    const text = await created({ output: 'merged', sheet: 'avery-l7160' });
    expect([text.status, text.body]).toMatchObject([
      400,
      { code: 'INVALID_FIELD', message: 'sheet must be a JSON object, but is "avery-l7160".' },
    ]);
    const zip = await created({ sheet: '{"preset":"avery-l7160"}' });
    expect([zip.status, zip.body]).toMatchObject([
      400,
      { code: 'INVALID_FIELD', message: 'sheet is only allowed with output=merged or output=both.' },
    ]);
  });

  it('[BF179] more rows than one slice: the bytes of `rowpress fill` and `submit`, by any range', async () => {
    const rows = rowsOf(250);
    await sandbox.write('source.pdf', pdf);
    await sandbox.write('layout.doqlo', client.usual.doqlo_file as Uint8Array);
    await sandbox.write('rows.json', rows);
    await sandbox.write('assets.zip', assets_file);
    const sheet = '{"preset":"avery-l7160","skip":5,"order":"down","marks":true}';
    const { body: job } = await created({ output: 'both', rows_json: rowsJson(rows), sheet });
    const options = ['--max-failed-row-percent', '50', '--output-kind', 'both', '--sheet', sheet];
    const run = await sandbox.run(
      [
        ...fillArguments('layout.doqlo', 'rows.json', '--assets', 'assets.zip', ...options),
        ...['-o', 'out.zip', '--merge', 'merged.pdf', '--timestamp', job.created_at],
      ],
      { ROWPRESS_SEAL_KEY: scene.server.env.ROWPRESS_SEAL_KEY ?? '' },
    );
    expect([run.status, run.stdout]).toEqual([0, '']);
    const ours = await client.archive(job.job_id);
    const theirs = openArchive(await sandbox.read('out.zip'));
    expect(ours.manifest).toEqual(theirs.manifest);
    expect(sha256(ours.bytes)).toBe(sha256(theirs.bytes));
    const whole = Buffer.from(await sandbox.read('merged.pdf'));
    expect(sha256(whole)).toBe(sha256(theirs.files['merged.pdf']));
    expect(await namesOf(whole)).toHaveLength(Math.ceil((249 + 5) / 21));
    const step = Math.ceil(whole.length / 17);
    for (let start = 0; start < whole.length; start += step) {
      const end = Math.min(whole.length, start + step + 5) - 1;
      const part = await client.fetch(urlOf(job.job_id), { headers: { range: `bytes=${start}-${end}` } });
      const bytes = Buffer.from(await part.arrayBuffer());
      expect([part.status, bytes.equals(whole.subarray(start, end + 1))]).toEqual([206, true]);
    }

    const submitted = await sandbox.run(
      submitArguments('rows.json', '--assets', 'assets.zip', ...options, '-o', 'sent.zip'),
      { ROWPRESS_SERVER: scene.server.url, ROWPRESS_API_KEY: client.account.key },
    );
    expect([submitted.status, submitted.stderr]).toEqual([0, expect.any(String)]);
    const sent = openArchive(await sandbox.read('sent.zip'));
    expect(sha256(sent.files['merged.pdf'])).toBe(sha256(whole));
  });

  it('[BF175] `rowpress fill` with a bad sheet, or without a merged PDF: exits with 2', async () => {
    await sandbox.write('source.pdf', pdf);
    await sandbox.write('layout.json', layout);
    await sandbox.write('few.csv', 'Ada\n');
    const few = fillArguments('layout.json', 'few.csv', '-o', 'few.zip');
    const unknown = await sandbox.run([...few, '--output-kind', 'merged', '--sheet', 'avery-0']);
    expect([unknown.status, unknown.stderr]).toEqual([2, expect.stringContaining('sheet.preset must be')]);
    const alone = await sandbox.run([...few, '--sheet', 'avery-l7160']);
    expect([alone.status, alone.stderr]).toEqual([2, expect.stringContaining('--sheet needs --output-kind')]);
  });

  it('[BF175] a JSON create and a retry: sheets of their rows', async () => {
    const { body: job } = await created({ output: 'merged', sheet: JSON.stringify(geometry) });
    const retry = await client.fetch(`/v1/bulkfill/export-jobs/${job.job_id}/retry`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'sheet-retry', prefer: 'wait=30' },
      body: JSON.stringify({ rows: [{ row_number: 3, cells: { column_0: 'Person2', column_1: 'b.jpg' } }] }),
    });
    const { job_id } = (await retry.json()) as { job_id: string };
    const merged = async (id: string) => new Uint8Array(await (await client.fetch(urlOf(id))).arrayBuffer());
    expect(await namesOf(await merged(job_id))).toEqual([['Person2']]);

    const doqlo_file = client.usual.doqlo_file as Uint8Array;
    await saveProject(
      client,
      '/v1/bulkfill/projects',
      { name: 'Labels', pdf, doqlo_file },
      { method: 'POST', headers: { 'idempotency-key': 'sheet-project' } },
    );
    const post = (sheet: unknown, key: string) =>
      client.fetch('/v1/bulkfill/export-jobs', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key, prefer: 'wait=30' },
        body: JSON.stringify({
          ...{ project: 'Labels', rows: [{ column_0: 'Person1' }, { column_0: 'Person2' }] },
          ...{ max_failed_row_percent: 0, output: 'merged', match_columns: 'position', sheet },
        }),
      });
    const made = (await (await post({ ...geometry, skip: 3 }, 'sheet-json')).json()) as { job_id: string };
    expect(await namesOf(await merged(made.job_id))).toEqual([['Person1'], ['Person2']]);
    const text = await post('avery-l7160', 'sheet-text');
    expect([text.status, await text.json()]).toMatchObject([400, { code: 'INVALID_FIELD' }]);
  });
});
