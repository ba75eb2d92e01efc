import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { badRow, openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';
import { letterPdf } from '../support/bulkfill-server.ts';
import { box, type FilledArchive, fill, layoutOf, runFill, sha256 } from '../support/fill-cli.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';

/** The same rows on the command line and on the server: number parsing is decided once per run. */
const layout = layoutOf([
  { id: 'name', type: 'text', ...box, value: { column: 'column_0' } },
  {
    id: 'sum',
    type: 'text',
    ...box,
    y: 140,
    value: { column: 'column_1' },
    format: { number: '#,##0.00' },
  },
  {
    id: 'day',
    type: 'date',
    ...box,
    y: 180,
    value: { column: 'column_2' },
    format: { date: 'D MMMM YYYY', input: 'DD.MM.YYYY', language: 'de' },
  },
]);
const AMOUNTS = ['1.234', '0,5', 'n/a', ''];
const rows = AMOUNTS.map((amount, index) => ({
  column_0: `r${index + 1}`,
  column_1: amount,
  column_2: ['31.02.1990', '08.03.2026', '2026-03-09', ''][index],
}));

async function shown({ files }: FilledArchive): Promise<string[]> {
  const names = Object.keys(files).filter((name) => name.endsWith('.pdf'));
  return Promise.all(names.map(async (name) => (await pageTexts(files[name] ?? new Uint8Array(0))).join()));
}

const warnings = ({ manifest }: FilledArchive) =>
  manifest.row_results.map((row) =>
    row.warnings.map(({ overlay_id, code }) => `${overlay_id} ${code}`).join(),
  );

let sandbox: CliSandbox;
let scene: Scene;
beforeAll(async () => {
  [sandbox, scene] = await Promise.all([cliSandbox(), openScene({ layout })]);
});
afterAll(async () => {
  await Promise.all([sandbox.remove(), scene.server.stop()]);
});

describe('rows with numbers and dates', () => {
  it('[FILL150][FILL151] a column with decimal commas: read with the comma, what is not a number or a day is noted', async () => {
    const archive = await fill(sandbox, { pdf: letterPdf, layout, rows });
    expect(await shown(archive)).toEqual([
      expect.stringMatching(/r1 1,234\.00 31\.02\.1990$/),
      expect.stringMatching(/r2 0\.50 8 März 2026$/),
      expect.stringMatching(/r3 n\/a 9 März 2026$/),
      expect.stringMatching(/r4$/),
    ]);
    expect(warnings(archive)).toEqual(['day VALUE_FORMAT_UNREAD', '', 'sum VALUE_FORMAT_UNREAD', '']);
    expect(archive.manifest.row_results.map(({ status }) => status)).toEqual(Array(4).fill('success'));
    expect(archive.manifest.options).toMatchObject({ decimal_signs: { column_1: ',' } });
    expect(JSON.stringify(archive.manifest)).not.toContain('31.02.1990');
  });

  it('[FILL25][FILL151] a preview of one row: has the bytes that the row has among the others', async () => {
    const archive = await fill(sandbox, { pdf: letterPdf, layout, rows });
    const run = await runFill(sandbox, {
      pdf: letterPdf,
      layout,
      rows,
      args: ['--preview', '1', '-o', 'one.pdf'],
    });
    expect(run.status).toBe(0);
    expect(sha256(await sandbox.read('one.pdf'))).toBe(archive.manifest.row_results[0]?.sha256);
  });

  it('[FILL1][FILL151] the server: makes the rows of the command, and names the signs in the manifest', async () => {
    const local = await fill(sandbox, { pdf: letterPdf, layout, rows });
    const { body } = await scene.client.create({ rows_json: rowsJson(rows) });
    const remote = await scene.client.archive(body.job_id);
    expect(warnings(remote)).toEqual(warnings(local));
    expect(remote.manifest.options).toMatchObject({ decimal_signs: { column_1: ',' } });
    expect(remote.manifest.row_results.map((row) => row.sha256)).toEqual(
      local.manifest.row_results.map((row) => row.sha256),
    );
  });

  it('[FILL151] a retry of failed rows: keeps the signs of the first job', async () => {
    const first = await scene.client.create({
      rows_json: rowsJson([...rows, badRow]),
      max_failed_row_percent: '100',
    });
    const retried = await scene.client.request(`/v1/bulkfill/export-jobs/${first.body.job_id}/retry`, {
      method: 'POST',
      headers: { 'idempotency-key': 'again', 'content-type': 'application/json' },
      body: JSON.stringify({ rows: [{ row_number: 5, cells: { column_0: 'r5', column_1: '1.234' } }] }),
    });
    const archive = await scene.client.archive(retried.body.job_id);
    expect(await shown(archive)).toEqual([expect.stringMatching(/r5 1,234\.00$/)]);
    expect(archive.manifest.options).toMatchObject({ decimal_signs: { column_1: ',' } });
  });

  it('[FILL151] columns that write points: leave nothing in the manifest', async () => {
    const archive = await fill(sandbox, { pdf: letterPdf, layout, rows: 'a,1234.5\nb,"1,234.5"\n' });
    expect(await shown(archive)).toEqual([
      expect.stringMatching(/a 1,234\.50$/),
      expect.stringMatching(/b 1,234\.50$/),
    ]);
    expect(archive.manifest.options).not.toHaveProperty('decimal_signs');
  });
});
