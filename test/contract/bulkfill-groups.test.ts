import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BulkfillClient, openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';
import { seal } from '../support/bulkfill-server.ts';
import { box, fillArguments, layoutOf, openArchive, sha256 } from '../support/fill-cli.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { sourcePdf } from '../support/source-pdf.ts';

const pdf = sourcePdf({ pages: [{}, {}] });
const table = {
  id: 'items',
  type: 'table',
  ...{ page: 1, x: 72, y: 200, width: 400, height: 100, continue_on: 2, max_rows: 40 },
  total_label: 'Total',
  columns: [
    { header: 'Item', value: { column: 'column_1' } },
    { header: 'Amount', value: { column: 'column_2' }, format: { number: '#,##0.00' }, total: 'sum' },
  ],
};
const layout = layoutOf([{ id: 'number', type: 'text', ...box, value: { column: 'column_0' } }, table], {
  columns: [
    { key: 'column_0', label: 'Invoice' },
    { key: 'column_1', label: 'Item' },
    { key: 'column_2', label: 'Amount' },
    { key: 'column_3', label: 'Password' },
  ],
});
const item = (invoice: string, name: string, amount: string, password = 'pw') => ({
  column_0: invoice,
  column_1: name,
  column_2: amount,
  column_3: password,
});
const rows = [
  item('R-1', 'Paper', '1,50'),
  item('R-2', 'Pens', '2'),
  item('R-1', 'Ink', '0,25'),
  item('R-3', 'Card', 'free'),
  item('R-2', 'Glue', '3'),
  item('R-3', 'Wax', '1'),
];
const fields = { rows_json: rowsJson(rows), max_failed_row_percent: '100', group_by: '["Invoice"]' };

const PLANS = JSON.stringify({
  unlimited: { rows_per_month: null, max_pdf_bytes: null },
  six: { rows_per_month: 6, max_pdf_bytes: null },
});

let scene: Scene;
let client: BulkfillClient;
let sandbox: CliSandbox;
beforeAll(async () => {
  [scene, sandbox] = await Promise.all([
    openScene({ pdf, layout, env: { ROWPRESS_PLANS: PLANS } }),
    cliSandbox(),
  ]);
  client = scene.client;
  await sandbox.write('source.pdf', pdf);
  await sandbox.write('layout.doqlo', client.usual.doqlo_file as Uint8Array);
});
afterAll(async () => {
  await scene.server.stop();
  await sandbox.remove();
});

const path = (jobId: string, rest: string) => `/v1/bulkfill/export-jobs/${jobId}/${rest}`;
const problemsOf = (jobId: string) => client.request<{ data: object[] }>(path(jobId, 'problem-rows'));

describe('group_by', () => {
  it('[BF200] [BF201] [FILL260] [FILL262] rows with one value: one PDF, one result and one count', async () => {
    const { status, body } = await client.create({ ...fields, filename_columns: '["Invoice"]' });
    expect(status).toBe(200);
    const { files, manifest } = await client.archive(body.job_id);
    expect(Object.keys(files)).toEqual(['group_1_R-1.pdf', 'group_2_R-2.pdf', 'manifest.json']);
    expect(manifest).toMatchObject({
      rows: 3,
      input_rows: 6,
      options: { group_by: ['Invoice'], decimal_signs: { column_2: ',' } },
      summary: { produced_rows: 2, failed_rows: 1 },
      row_results: [
        { row_number: 1, row_numbers: [1, 3], status: 'success' },
        { row_number: 2, row_numbers: [2, 5], status: 'success' },
        { row_number: 3, row_numbers: [4, 6], status: 'failed', error: { code: 'ROW_VALUE_INVALID' } },
      ],
    });
    const [text, ...others] = await pageTexts(files['group_1_R-1.pdf'] ?? new Uint8Array());
    expect(text?.replaceAll(/\s+/g, ' ')).toContain('Paper 1.50 Ink 0.25 Total 1.75');
    expect(others).toEqual([]);
    const one = await client.fetch(path(body.job_id, 'rows/2.pdf'));
    expect(sha256(new Uint8Array(await one.arrayBuffer()))).toBe(sha256(files['group_2_R-2.pdf']));
  });

  it('[BF204] a problem in one row of a group: names the row of the input', async () => {
    const clipped = layoutOf([{ ...table, columns: [{ ...table.columns[0], fit: 'clip' }] }]);
    const noted = await client.create({
      ...fields,
      doqlo_file: await seal({ ...clipped, columns: layout.columns }, pdf),
      rows_json: rowsJson([...rows, item('R-1', 'wide '.repeat(50), '1')]),
    });
    expect((await problemsOf(noted.body.job_id)).body.data).toMatchObject([
      { row_number: 1, input_row_number: 7, status: 'noted', code: 'TEXT_CLIPPED', overlay_id: 'items' },
    ]);
    const { body } = await client.create({ ...fields });
    expect((await problemsOf(body.job_id)).body.data).toEqual([
      {
        row_number: 3,
        input_row_number: 4,
        status: 'failed',
        code: 'ROW_VALUE_INVALID',
        message: 'Row 4: column_2 is not a number that can be read with certainty, so the table has no sum.',
        overlay_id: null,
        field: null,
        column: 'column_2',
        column_label: 'Amount',
      },
    ]);
  });

  it('[BF200] anything but at most three columns of the package: 400 that names the field', async () => {
    const cases = ['Invoice', '{}', '[1]', '["a","b","c","d"]', '["Nope"]', '["Invoice","column_0"]', '['];
    for (const group_by of cases) {
      const { status, body } = await client.create({ ...fields, group_by });
      expect([status, body.code], group_by).toEqual([400, 'INVALID_FIELD']);
      expect(body.message).toMatch(/^group_by must /);
    }
  });

  it('[BF200] input without the column, or a group that is too large: 422', async () => {
    const unnamed = { ...fields, match_columns: 'label', rows_json: rowsJson([{ Item: 'x', Amount: '1' }]) };
    const missing = await client.create(unnamed);
    expect([missing.status, missing.body.code]).toEqual([422, 'COLUMNS_MISSING']);
    const many = Array.from({ length: 5001 }, () => ({ column_0: 'R-1' }));
    const large = await client.create({ ...fields, rows_json: rowsJson(many) });
    expect([large.status, large.body.code]).toEqual([422, 'GROUP_TOO_LARGE']);
    expect(large.body.message).toContain('begins with row 1');
  });

  it('[BF203] the same key with and without groups: a mismatch in group_by alone; an empty list is no group_by', async () => {
    const key = 'groups-once';
    const first = await client.create(fields, { key });
    expect((await client.create(fields, { key })).body.job_id).toBe(first.body.job_id);
    const { status, body } = await client.create({ ...fields, group_by: null }, { key });
    expect([status, body.differs_in]).toEqual([409, ['group_by']]);
    const plain = await client.create({ ...fields, group_by: null }, { key: 'no-groups' });
    const empty = await client.create({ ...fields, group_by: '[]' }, { key: 'no-groups' });
    expect(empty.body.job_id).toBe(plain.body.job_id);
  });

  it('[BF201] the threshold: counts groups, not rows', async () => {
    const third = await client.create({ ...fields, max_failed_row_percent: '33' });
    expect(third.body.error).toMatchObject({
      code: 'FAILED_ROW_THRESHOLD_EXCEEDED',
      details: {
        input_row_count: 3,
        produced_row_count: 2,
        failed_row_count: 1,
        failed_row_percent: 33.3333,
      },
    });
    expect((await client.create({ ...fields, max_failed_row_percent: '34' })).status).toBe(200);
  });

  it('[BF202] a job of groups: is billed for its rows', async () => {
    const own = await scene.another('six');
    expect((await own.create(fields)).status).toBe(200);
    const more = await own.create({ ...fields, rows_json: rowsJson([item('R-9', 'x', '1')]) });
    expect([more.status, more.body.code]).toEqual([403, 'EXPORT_QUOTA_EXCEEDED']);
  });

  it('[BF205] a retry: takes the failed groups, with replaced rows of the input', async () => {
    const { body } = await client.create(fields);
    const retry = (rowsToSend: readonly object[], key: string) =>
      client.request<typeof body & { code?: string; message?: string }>(path(body.job_id, 'retry'), {
        method: 'POST',
        headers: { 'idempotency-key': key, 'content-type': 'application/json', prefer: 'wait=10' },
        body: JSON.stringify({ rows: rowsToSend }),
      });
    const stray = await retry([{ row_number: 2, cells: item('R-2', 'x', '1') }], 'stray');
    expect([stray.status, stray.body.message]).toEqual([400, 'rows: row 2 is not one of the rows to retry.']);
    const again = await retry([{ row_number: 4, cells: item('R-3', 'Card', '4') }], 'again');
    expect(again.status).toBe(200);
    const { files, manifest } = await client.archive(again.body.job_id);
    expect(manifest).toMatchObject({
      rows: 1,
      input_rows: 2,
      row_results: [{ row_number: 1, source_row_number: 3, row_numbers: [4, 6], status: 'success' }],
    });
    expect((await pageTexts(files['group_1.pdf'] ?? new Uint8Array()))[0]).toMatch(/Card\s+4\.00\s+Wax/);
  });

  it('[BF206] [FILL272] merged, encrypted and dry runs: as for rows, with the pages of each group', async () => {
    const long = Array.from({ length: 30 }, (_, n) => item('R-1', `Item ${n + 1}`, '1'));
    const input = rowsJson([...long, item('R-2', 'Pen', '1')]);
    const merged = await client.create({ ...fields, rows_json: input, output: 'both' });
    const { files, manifest } = await client.archive(merged.body.job_id);
    const [first, second] = ['group_1.pdf', 'group_2.pdf'].map((name) =>
      pageTexts(files[name] ?? new Uint8Array()),
    );
    const pages = [...((await first) ?? []), ...((await second) ?? [])];
    expect(pages.length).toBeGreaterThan(8);
    expect(await pageTexts(files['merged.pdf'] ?? new Uint8Array())).toEqual(pages);
    expect(manifest).toMatchObject({
      merged: { page_count: pages.length },
      row_results: [{ first_page: 1 }, { first_page: pages.length }],
    });
    const secret = await client.create({ ...fields, rows_json: input, password_column: 'Password' });
    const { files: locked } = await client.archive(secret.body.job_id);
    expect(await pageTexts(locked['group_1.pdf'] ?? new Uint8Array(), 'pw')).toEqual(pages.slice(0, -1));
    const dry = await client.create({ ...fields, dry_run: 'true' });
    expect((await client.archive(dry.body.job_id)).manifest.row_results).toMatchObject([
      { status: 'success' },
      { status: 'success' },
      { status: 'failed' },
    ]);
  });

  it('[FILL264] rows of a group with different passwords: the group fails', async () => {
    const mixed = rowsJson([item('R-1', 'a', '1', 'one'), item('R-1', 'b', '1', 'two')]);
    const { body } = await client.create({ ...fields, rows_json: mixed, password_column: 'Password' });
    const { manifest } = await client.archive(body.job_id);
    expect(manifest.row_results[0]?.error).toEqual({
      code: 'ROW_PASSWORD_DIFFERS',
      message:
        'The rows of the group have different values in column_3 (row 2 is the first), so the document has no single password.',
    });
  });

  it('[BF206] groups of several slices: the bytes of the command', async () => {
    const scattered = Array.from({ length: 2200 }, (_, n) => item(`R-${n % 1100}`, `Item ${n}`, `${n}.5`));
    const { body } = await client.create({ ...fields, rows_json: rowsJson(scattered) });
    // A busy machine may take longer than a create waits.
    const state = async () => (await client.get(body.job_id)).body.status;
    await expect.poll(state, { timeout: 120_000, interval: 50 }).toBe('completed');
    const zip = new Uint8Array(await (await client.fetch(path(body.job_id, 'download'))).arrayBuffer());
    const { manifest } = openArchive(zip);
    expect(manifest.rows).toBe(1100);
    expect(manifest.row_results[7]).toMatchObject({ row_number: 8, row_numbers: [8, 1108] });
    await sandbox.write('rows.json', scattered);
    const command = fillArguments('layout.doqlo', 'rows.json', '--threads', '2');
    const { ROWPRESS_SEAL_KEY = '', ROWPRESS_DATA_DIR = '' } = scene.server.env;
    const options = ['--group-by', 'Invoice', '--timestamp', String(manifest.timestamp), '-o', 'out.zip'];
    const run = await sandbox.run([...command, ...options], { ROWPRESS_SEAL_KEY, ROWPRESS_DATA_DIR });
    expect(run.status, run.stderr).toBe(0);
    expect(sha256(await sandbox.read('out.zip'))).toBe(sha256(zip));
  });
});
