import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { box, fill, layoutOf, runFill } from '../support/fill-cli.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { sourcePdf } from '../support/source-pdf.ts';
import { workbook } from '../support/workbook.ts';

let sandbox: CliSandbox;
beforeAll(async () => {
  sandbox = await cliSandbox();
});
afterAll(() => sandbox.remove());

const pdf = sourcePdf();
const layout = layoutOf([
  { id: 'number', type: 'text', ...box, value: { column: 'column_0' } },
  { id: 'day', type: 'text', ...box, y: 200, value: { template: 'on {{column_1}}' } },
  {
    id: 'hidden',
    type: 'text',
    ...box,
    y: 300,
    value: { static: 'x' },
    show_if: { column: 'column_0', equals: 'x' },
  },
]);
const sheet = workbook([
  ['Number', 'Day'],
  [
    { n: 42, as: '00000' },
    { n: 45_292, as: 'd.m.yyyy' },
  ],
  [{ error: '#N/A' }, { error: '#REF!' }],
]);

describe('rowpress fill with a workbook', () => {
  const texts = async (args: readonly string[]) => {
    await sandbox.write('rows.xlsx', sheet);
    const archive = await fill(sandbox, {
      pdf,
      layout,
      rows: 'unused\n',
      args: ['--rows', 'rows.xlsx', '--csv-header', ...args],
    });
    const drawn = await Promise.all(
      [1, 2].map((row) => pageTexts(archive.files[`row_${row}.pdf`] ?? new Uint8Array(0))),
    );
    return { archive, drawn };
  };

  it('[FILL135] cells of a workbook: as shown, or raw values on request', async () => {
    expect((await texts([])).drawn).toEqual([['page 1 00042 on 1.1.2024'], ['page 1 on']]);
    expect((await texts(['--cell-values', 'raw'])).drawn[0]).toEqual(['page 1 42 on 2024-01-01']);
  });

  it('[FILL133] errors: noted at each overlay that uses the cell, and the row is a success', async () => {
    const { archive } = await texts([]);
    const [good, bad] = archive.manifest.row_results;
    expect(good?.warnings).toEqual([]);
    expect(bad).toMatchObject({ status: 'success', applied_overlay_count: 3, skipped_overlay_count: 0 });
    expect(bad?.warnings.map(({ code, overlay_id }) => `${overlay_id} ${code}`)).toEqual([
      'number CELL_ERROR',
      'hidden CELL_ERROR',
      'day CELL_ERROR',
    ]);
  });

  it('[FILL24] an unknown value of an option: wrong usage', async () => {
    for (const [flag, value] of [
      ['--cell-values', 'formatted'],
      ['--csv-encoding', 'klingon'],
    ] as const) {
      const run = await runFill(sandbox, { pdf, layout, rows: 'x\n', args: [flag, value] });
      expect(run.status).toBe(2);
      expect(run.stderr).toContain(flag);
    }
  });
});

it('[FILL138] --csv-encoding: the rows of the decoded file', async () => {
  await sandbox.write('latin.csv', Buffer.from('sep=;\nM\xfcller;\x80\n', 'latin1'));
  const args = ['--rows', 'latin.csv', '--csv-encoding', 'windows-1252'];
  const archive = await fill(sandbox, { pdf, layout, rows: 'unused\n', args });
  expect(await pageTexts(archive.files['row_1.pdf'] ?? new Uint8Array(0))).toEqual(['page 1 Müller on €']);
});
