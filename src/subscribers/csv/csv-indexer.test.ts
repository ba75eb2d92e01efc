import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Blobs } from '#engine/blobs.ts';
import { csvLine } from '#lib/records/csv/safe-cell.ts';
import { spooledBytes } from '../import/spooled-csv.ts';
import { CsvIndexer } from './csv-indexer.ts';
import { type CsvRow, readSliceText, rowsOf } from './read-slice.ts';
import { storeCsv } from './store-csv.ts';

const LIMITS = { maxBytes: 1_000_000, maxRows: 1_000 };

/** A blob store with one blob in memory. */
function memoryBlob(): Blobs {
  let held = Buffer.alloc(0);
  const read = async function* (_digest: string, range = { start: 0, end: held.length }) {
    yield held.subarray(range.start, range.end);
  };
  return {
    put: async (_accountId, content) => {
      const parts: Uint8Array[] = [];
      if (content instanceof Uint8Array) parts.push(content);
      else for await (const part of content) parts.push(part);
      held = Buffer.concat(parts);
      return { digest: 'x', size: held.length };
    },
    touch: async () => true,
    read,
    readAll: async (_digest, range = { start: 0, end: held.length }) => held.subarray(range.start, range.end),
    contentDigests: async (names) => [...names],
  };
}

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(bytes: Uint8Array, chunk = 7) {
  const blobs = memoryBlob();
  const source = await storeCsv(blobs, 'account', chunks(bytes, chunk), LIMITS);
  const rows: CsvRow[] = [];
  for (const slice of source.slices)
    rows.push(...rowsOf(await readSliceText(blobs, source, slice), source.separator, slice));
  return { source, rows };
}

const refusal = (text: string | Uint8Array, chunk?: number) =>
  readAll(typeof text === 'string' ? Buffer.from(text) : text, chunk).then(
    () => 'accepted',
    (error: Error) => error.message,
  );

describe('[SUB23] the dialect', () => {
  test.each([
    ['comma, LF', 'a,b\n1,2\n'],
    ['semicolon, CRLF', 'a;b\r\n1;2\r\n'],
    ['tab, CR', 'a\tb\r1\t2\r'],
    ['bar, no line end', 'a|b\n1|2'],
    ['a BOM', '\ufeffa,b\n1,2\n'],
    ['quotes', '"a","b"\n"1","2"\n'],
    ['blank lines at the end', 'a,b\n1,2\n\n,\n \n'],
  ])('%s', async (_name, text) => {
    const { source, rows } = await readAll(Buffer.from(text));
    expect(source.headers).toEqual(['a', 'b']);
    expect(rows).toEqual([{ index: 0, line: 2, cells: ['1', '2'] }]);
  });

  test('UTF-16 in both byte orders', async () => {
    const little = Buffer.from('\ufeffa,b\nZoë,😀\n', 'utf16le');
    const big = Buffer.from(little).swap16();
    for (const bytes of [little, big]) {
      expect((await readAll(bytes, 3)).rows).toEqual([{ index: 0, line: 2, cells: ['Zoë', '😀'] }]);
    }
  });

  test('quoted line ends and blank lines between rows: line numbers match the file', async () => {
    const { rows } = await readAll(Buffer.from('a,b\n"x\ny",1\n\nz,2\n'));
    expect(rows.map(({ index, line, cells }) => [index, line, cells[0]])).toEqual([
      [0, 2, 'x\ny'],
      [1, 4, ''],
      [2, 5, 'z'],
    ]);
  });
});

describe('[SUB22] files that cannot be read', () => {
  test.each([
    ['Latin-1', Buffer.from('Email,Name\na@b.co,Ann\nz@b.co,Zo\xeb\n', 'latin1'), /^Line 3: .*UTF-8/],
    ['UTF-16 without BOM', Buffer.from('a,b\n1,2\n', 'utf16le'), /^Line 1: /],
    ['an open quote', 'a,b\n1,2\n3,"4\n5\n', /A quote opened on line 3 is never closed/],
    ['text after a quote', 'a,b\n"1"x,2\n', /^Line 2 /],
    [
      '300 columns',
      `${Array.from({ length: 300 }, (_, i) => `c${i}`).join(',')}\n1\n`,
      /more than 250 columns/,
    ],
    ['a long column name', `${'x'.repeat(201)}\n1\n`, /more than 200 characters/],
    ['two columns of one name', 'Email,Email\na,b\n', /same name/],
    ['nothing', '', /empty/],
    ['no rows', 'a,b\n', /no rows/],
    ['a blank first line', '\na,b\n', /Line 1 is blank/],
    ['too many rows', `a\n${'1\n'.repeat(1_001)}`, /more than 1000 rows/],
  ])('%s', async (_name, input, message) => {
    for (const chunk of [1, 5, 100_000]) expect(await refusal(input, chunk)).toMatch(message);
  });

  test('too many bytes', async () => {
    expect(await refusal(`a\n${'x'.repeat(1_000_001)}\n`, 10_000)).toMatch(/larger than 1000000 bytes/);
  });

  test.each([
    ['a cell of doubled quotes', `a,b\n1,"${'""'.repeat(2_000_000)}"\n`, 2],
    ['a column name of doubled quotes', `"${'""'.repeat(2_000_000)}",b\n1,2\n`, 1],
    ['a cell without quotes', `a,b\n1,2\n3,${'x'.repeat(4_000_000)}\n`, 3],
    ['a quote that is never closed', `a,b\n1,"${'x\n'.repeat(2_000_000)}`, 2],
  ])('[SUB78] %s of 4 MB: is rejected at the limit, with its line', (_name, text, line) => {
    const bytes = Buffer.from(text);
    const indexer = new CsvIndexer(LIMITS);
    let read = 0;
    const readAll = () => {
      for (; read < bytes.length; read += 65_536) indexer.push(bytes.subarray(read, read + 65_536));
    };
    expect(readAll).toThrow(
      expect.objectContaining({
        code: 'csv_too_large',
        message: `The record on line ${line} has more than 1048576 characters.`,
      }),
    );
    expect(read).toBeLessThan(1_048_576 + 65_536);
  });

  test('[SUB78] a record of 1,048,576 characters: is read', async () => {
    const row = `"${'""'.repeat(524_284)}"\r\n`;
    const bytes = Buffer.from(`a,b\n${'x,'.repeat(2)}${row}x,y\n`);
    const limits = { maxBytes: 2_000_000, maxRows: 10 };
    const source = await storeCsv(memoryBlob(), 'account', chunks(bytes, 65_536), limits);
    expect(row.length + 4).toBe(1_048_576);
    expect(source.slices).toEqual([{ start: 4, end: bytes.length, firstRow: 1, rows: 2, line: 2 }]);
  });

  test('[SUB22] a line of millions of separators: is rejected at the limit of columns', async () => {
    const indexer = new CsvIndexer(LIMITS);
    expect(() => indexer.push(Buffer.from(`a,b\n${','.repeat(4_000_000)}`))).toThrow(
      'Line 2 has more than 250 columns.',
    );
  });

  test('[LIM47] text from a JSON body: the same rules apply', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'rp-csv-')), 'csv');
    onTestFinished(() => rmSync(dirname(path), { recursive: true }));
    const store = async (text: string) => {
      writeFileSync(path, text);
      return storeCsv(memoryBlob(), 'account', spooledBytes({ path }), LIMITS);
    };
    await expect(store('a\n\0\n')).rejects.toThrow(/NUL/);
    expect((await store('\ufeffa\n1\n')).headers).toEqual(['a']);
  });
});

test('[SUB23] any cells in any chunking: slices read alone return every row once', async () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', 'ë', '😀', '李'),
    maxLength: 6,
  });
  const table = fc.array(fc.tuple(fc.constant('x'), cell, cell), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 7 }),
      async (rows, chunk, perSlice) => {
        const text = ['h1,h2,h3\r\n', ...rows.map((row) => csvLine(row))].join('');
        const indexer = new CsvIndexer(LIMITS, perSlice);
        const blobs = memoryBlob();
        await blobs.put('account', Buffer.from(text));
        for await (const part of chunks(Buffer.from(text), chunk)) indexer.push(part);
        indexer.end();
        const index = indexer.index();
        const read: CsvRow[] = [];
        for (const slice of index.slices)
          read.push(...rowsOf(await readSliceText(blobs, { digest: 'x' }, slice), index.separator, slice));
        expect(read.map(({ cells }) => cells)).toEqual(rows);
        expect(read.map(({ index }) => index)).toEqual(rows.map((_, i) => i));
        expect(index.rows).toBe(rows.length);
      },
    ),
    { numRuns: 300 },
  );
});
