import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRowFile } from '#cli/fill/row-file.ts';
import { labelledColumns } from '#fill/labelled-columns.ts';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { type BulkfillClient, type Fields, openScene, type Scene } from '../support/bulkfill-client.ts';
import { letterPdf, seal } from '../support/bulkfill-server.ts';
import { COLUMN_CASES, type ColumnCase } from '../support/column-cases.ts';
import { box, fill, layoutOf, runFill, sha256 } from '../support/fill-cli.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { workbook } from '../support/workbook.ts';

const layoutWith = (labels: readonly string[], further: readonly string[] = []) =>
  layoutOf(
    labels.map((_, index) => ({
      ...box,
      id: `t${index}`,
      type: 'text',
      y: 100 + index * 50,
      value: { column: `column_${index}` },
    })),
    { columns: [...labels, ...further].map((label, index) => ({ key: `column_${index}`, label })) },
  );
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const csvOf = (...lines: readonly (readonly string[])[]) =>
  lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
const valuesOf = ({ names }: ColumnCase) => names.map((_, index) => `v${index}`);

describe('match_columns', () => {
  let scene: Scene;
  let client: BulkfillClient;
  let sandbox: CliSandbox;
  beforeAll(async () => {
    scene = await openScene();
    client = scene.client;
    sandbox = await cliSandbox();
  });
  afterAll(async () => {
    await Promise.all([scene?.server.stop(), sandbox?.remove()]);
  });
  const people = layoutWith(['Name', 'Town'], ['Number']);
  const create = async (fields: Fields, layout = people) =>
    client.create({
      rows_json: null,
      match_columns: 'label',
      doqlo_file: await seal(layout, letterPdf),
      ...fields,
    });
  const textOf = async (pdf: Uint8Array | undefined) => (await pageTexts(pdf ?? new Uint8Array()))[0];

  /** The decision as the index of each label's name, or the code of the refusal. */
  const served = async (each: ColumnCase) => {
    const csv_file = csvOf(each.names, valuesOf(each));
    const { status, body } = await create({ csv_file, dry_run: 'true' }, layoutWith(each.labels));
    if (status !== 200) return body.code;
    const { manifest } = await client.archive(body.job_id);
    return manifest.columns?.map(({ input }) => each.names.indexOf(input ?? ''));
  };
  const filled = async (each: ColumnCase) => {
    const file = await sandbox.write('rows.csv', csvOf(each.names, valuesOf(each)));
    const layout = layoutSchema.parse(layoutWith(each.labels));
    const labels = labelledColumns(layout, { includeStickers: false });
    try {
      const rows = await openRowFile(file, { csvHeader: false, cellValues: 'shown', labels });
      return rows.inputs?.map(({ input }) => each.names.indexOf(input ?? ''));
    } catch (error) {
      return (error as { refusal: { code: string } }).refusal.code;
    }
  };
  it.each(COLUMN_CASES)(
    '[BF120][EDT43] $name: the server and the command decide as the editor does',
    async (each) => {
      expect(await served(each), 'server').toEqual(each.decision);
      expect(await filled(each), 'command').toEqual(each.decision);
    },
  );

  it('[BF120] CSV, workbook and JSON with swapped columns: each field gets the value of its label, in the bytes of the command', async () => {
    const names = ['town', 'Extra', 'NAME'];
    const row = ['Paris', 'x', 'Grace'];
    const inputs = [
      { csv_file: csvOf(names, row) },
      { rows_file: workbook([names, row]) },
      { rows_json: JSON.stringify([{ town: 'Paris', Extra: 'x', NAME: 'Grace' }]) },
      { rows_json: JSON.stringify([{ town: 'Paris', column_0: 'Grace' }]) },
    ];
    const digests = new Set<string>();
    for (const input of inputs) {
      const { status, body } = await create(input);
      expect([status, body.status]).toEqual([200, 'completed']);
      const { files } = await client.archive(body.job_id);
      expect(await textOf(files['row_1.pdf'])).toMatch(/Grace.*Paris/s);
      digests.add(sha256(files['row_1.pdf']));
    }
    const args = ['--match-columns', 'label'];
    const made = await fill(sandbox, { pdf: letterPdf, layout: people, rows: csvOf(names, row), args });
    digests.add(sha256(made.files['row_1.pdf']));
    expect(digests.size).toBe(1);
    expect(made.manifest.columns).toEqual([
      { key: 'column_0', label: 'Name', input: 'NAME' },
      { key: 'column_1', label: 'Town', input: 'town' },
      { key: 'column_2', label: 'Number', input: null },
    ]);
  });

  it('[BF123] a CSV by position whose header has swapped names: read by position, with a warning for each', async () => {
    const swapped = {
      match_columns: null,
      csv_header: 'true',
      csv_file: csvOf(['Town', 'NAME'], ['Paris', 'Grace']),
    };
    const warnings = [
      { code: 'COLUMN_LABEL_MOVED', message: expect.stringContaining('"Name"'), expected: 0, actual: 1 },
      { code: 'COLUMN_LABEL_MOVED', message: expect.stringContaining('"Town"'), expected: 1, actual: 0 },
    ];
    const { body } = await create(swapped);
    const { files, manifest } = await client.archive(body.job_id);
    expect(manifest.warnings).toMatchObject(warnings);
    expect(await textOf(files['row_1.pdf'])).toMatch(/Paris.*Grace/s);
    // Equal rows below the right header are other work: its manifest has no warnings.
    const right = await create({ ...swapped, csv_file: csvOf(['Name', 'Town'], ['Paris', 'Grace']) });
    expect((await client.archive(right.body.job_id)).manifest.warnings).toEqual([]);
    const made = await fill(sandbox, {
      pdf: letterPdf,
      layout: people,
      rows: swapped.csv_file,
      args: ['--csv-header'],
    });
    expect(made.manifest.warnings).toMatchObject(warnings);
  });

  it('[BF121] missing and ambiguous columns: 422 with the labels, and exit 1 of the command', async () => {
    const missing = await create({ csv_file: csvOf(['Name', 'City'], ['a', 'b']) });
    expect([missing.status, missing.body.code, missing.body.message]).toEqual([
      422,
      'COLUMNS_MISSING',
      'The layout uses columns that the rows do not have: "Town".',
    ]);
    const twice = await create({
      rows_json: JSON.stringify([
        { Name: 'a', Town: 'b' },
        { NAME: 'c', name: 'd' },
      ]),
    });
    expect([twice.status, twice.body.code, twice.body.message]).toEqual([
      422,
      'COLUMNS_AMBIGUOUS',
      'These labels of the layout do not name exactly one column of the rows: "Name".',
    ]);
    const both = await create({ rows_json: JSON.stringify([{ Name: 'a', column_0: 'b', Town: 'c' }]) });
    expect(both.body.code).toBe('COLUMNS_AMBIGUOUS');
    // A key that is always blank is there; a key that no row has is not.
    const blank = await create({ rows_json: JSON.stringify([{ Name: 'a', Town: null }, { Name: 'b' }]) });
    expect(blank.status).toBe(200);
    const none = await create({ rows_json: JSON.stringify([{ Name: 'a' }, { Name: 'b' }]) });
    expect(none.body.code).toBe('COLUMNS_MISSING');
    const rows = csvOf(['Name', 'City'], ['a', 'b']);
    const run = await runFill(sandbox, {
      pdf: letterPdf,
      layout: people,
      rows,
      args: ['--match-columns', 'label'],
    });
    expect([run.status, run.json()]).toMatchObject([1, { code: 'COLUMNS_MISSING' }]);
    const wrong = await create({ match_columns: 'names', csv_file: rows });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_FIELD']);
    const only = await create({ csv_file: csvOf(['Name', 'Town']) });
    expect([only.status, only.body.code]).toEqual([422, 'NO_ROWS']);
  });

  it('[BF122] by label and by position, or the same rows below other names: are different requests; the default is not', async () => {
    const key = 'match-columns-1';
    const sealed = await seal(people, letterPdf);
    const send = (fields: Fields) =>
      client.create({ rows_json: null, doqlo_file: sealed, csv_header: 'true', ...fields }, { key });
    const csv_file = csvOf(['Name', 'Town'], ['a', 'b']);
    expect((await send({ csv_file, match_columns: 'label' })).status).toBe(200);
    expect((await send({ csv_file, match_columns: 'label' })).status).toBe(200);
    const position = await send({ csv_file });
    expect([position.status, position.body.differs_in]).toEqual([409, ['columns', 'match_columns']]);
    const renamed = await send({ csv_file: csvOf(['name', 'Town'], ['a', 'b']), match_columns: 'label' });
    expect([renamed.status, renamed.body.differs_in]).toEqual([409, ['columns']]);
  });
});
