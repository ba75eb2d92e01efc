import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileNameSegment, rowFileName } from '#fill/results/file-name.ts';
import { CsvRows } from '#lib/rows/csv-rows.ts';
import { JsonRows } from '#lib/rows/json-rows.ts';
import { DEFAULT_ROW_LIMITS, type RowDecoder, readRows } from '#lib/rows/read-rows.ts';
import type { RowCells } from '#lib/rows/row-cells.ts';
import { corpusDir } from '../support/corpus-dir.ts';

const limits = DEFAULT_ROW_LIMITS;
const spectrum = corpusDir('csv/csvspectrum');
const strings = corpusDir('strings');
const absent = (path: string | null) =>
  path === null ? ' (skipped: set CORPUS_DIR to the outside corpus)' : '';

async function read(text: string, decoder: RowDecoder): Promise<RowCells[]> {
  const rows: RowCells[] = [];
  for await (const batch of readRows([new TextEncoder().encode(text)], decoder, limits)) rows.push(...batch);
  return rows;
}

describe.skipIf(spectrum === null)(`[FILL20] csv-spectrum${absent(spectrum)}`, () => {
  const folder = spectrum ?? '.';
  // An error of the corpus: the expected record and the CSV have different telephone numbers.
  const faulty = 'location_coordinates';
  const names =
    spectrum === null ? [] : readdirSync(join(folder, 'csvs')).map((file) => file.replace('.csv', ''));

  it.each(names.filter((name) => name !== faulty))('%s: the expected rows', async (name) => {
    const raw = readFileSync(join(folder, 'csvs', `${name}.csv`), 'utf8');
    // The corpus stores every file with LF; files named after CRLF are meant to have CRLF.
    const text = name.endsWith('_crlf') ? raw.replaceAll(/\r?\n/g, '\r\n') : raw;
    const expected = JSON.parse(readFileSync(join(folder, 'json', `${name}.json`), 'utf8')) as Record<
      string,
      string
    >[];
    const [header, ...rows] = await read(text, new CsvRows({ header: false, limits }));
    const names = [...(header ?? [])];
    const records = rows.map((row) =>
      Object.fromEntries(names.map(([key, label]) => [label, row.get(key) ?? ''])),
    );
    const normal = JSON.parse(JSON.stringify(expected).replaceAll('\\r\\n', '\\n'));
    expect(JSON.parse(JSON.stringify(records).replaceAll('\\r\\n', '\\n'))).toEqual(normal);
    expect(records.length).toBeGreaterThan(0);
  });
});

describe.skipIf(strings === null)(`naughty strings${absent(strings)}`, () => {
  const values: string[] =
    strings === null ? [] : JSON.parse(readFileSync(join(strings, 'blns.json'), 'utf8'));

  it('[FILL21] naughty strings in JSON and CSV: unchanged', async () => {
    expect(values.length).toBeGreaterThan(500);
    const json = JSON.stringify(values.map((value) => ({ column_0: 'k', column_1: value })));
    const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
    // CSV files with NUL are rejected as a wrong encoding, so these few are tested only as JSON.
    const printable = values.filter((value) => !value.includes('\0'));
    const csv = printable.map((value) => `"k",${quoted(value)}`).join('\n');
    const wellFormed = (list: string[]) => list.map((value) => value.toWellFormed());
    const second = (rows: RowCells[]) => rows.map((row) => row.get('column_1') ?? '');
    expect(second(await read(json, new JsonRows(limits)))).toEqual(wellFormed(values));
    expect(second(await read(csv, new CsvRows({ header: false, limits })))).toEqual(wellFormed(printable));
  });

  it('[FILL17] naughty strings in file names: safe', () => {
    for (const value of values) {
      const name = rowFileName(1, new Map([['column_0', value]]), ['column_0']);
      expect(name).toMatch(/^row_1(_[^<>:"/\\|?*\p{Cc}]+)?\.pdf$/u);
      expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(180);
      expect([...fileNameSegment(value)].length).toBeLessThanOrEqual(60);
    }
  });
});
