import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { openPackage } from '#fill/package/open-package.ts';
import { readContainer } from '#fill/package/read-container.ts';
import { sealPackage } from '#fill/package/seal-package.ts';
import { publicKeyOf } from '#fill/package/signed-statement.ts';
import { writeContainer } from '#fill/package/write-container.ts';
import { portableCodec as codec } from '#fill/portable-codec.ts';
import { rowFileName } from '#fill/results/file-name.ts';
import { splitRecord } from '#lib/records/csv/split-record.ts';
import { CsvRows } from '#lib/rows/csv-rows.ts';
import { JsonRows } from '#lib/rows/json-rows.ts';
import { DEFAULT_ROW_LIMITS as limits, type RowDecoder } from '#lib/rows/read-rows.ts';
import type { RowCells } from '#lib/rows/row-cells.ts';
import { RowsRefused } from '#lib/rows/rows-refused.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

/** Returns the rows or the error code. Any other exception is a bug and fails the test. */
function decode(bytes: Uint8Array, decoder: RowDecoder, chunk: number): RowCells[] | string {
  const rows: RowCells[] = [];
  try {
    for (let at = 0; at < bytes.length; at += chunk)
      rows.push(...decoder.push(bytes.subarray(at, at + chunk)));
    return [...rows, ...decoder.end()];
  } catch (error) {
    if (error instanceof RowsRefused) return error.code;
    throw error;
  }
}
const csv = (bytes: Uint8Array, chunk: number) =>
  decode(bytes, new CsvRows({ header: false, limits }), chunk);
const json = (bytes: Uint8Array, chunk: number) => decode(bytes, new JsonRows(limits), chunk);

const csvish = fc
  .array(fc.constantFrom('a', 'ö', '"', '""', ',', ';', '\n', '\r\n', '\r', ' ', '\t', '|', '1'), {
    maxLength: 40,
  })
  .map((parts) => parts.join(''));
const jsonish = fc
  .array(
    fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"',
      '\\',
      '"column_0"',
      '"a":1',
      'null',
      'true',
      '-1.50e3',
      ' ',
      '\n',
      '\\u00',
      '__proto__',
      '\u0001',
    ),
    { maxLength: 25 },
  )
  .map((parts) => `[${parts.join('')}]`);

describe('[FILL20] CSV, generated', () => {
  it('CSV in any chunks: the same rows, or the same refusal', () => {
    fc.assert(
      fc.property(fc.oneof(csvish, fc.string()), fc.integer({ min: 1, max: 9 }), (text, chunk) => {
        expect(csv(utf8(text), chunk)).toEqual(csv(utf8(text), 1_000_000));
      }),
      { numRuns: 2000 },
    );
  });

  it('arbitrary bytes: rows or a refusal, and no other error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const result = csv(bytes, 16);
        expect(typeof result === 'string' || Array.isArray(result)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('CSV that csv-parse accepts: the same records', () => {
    let compared = 0;
    fc.assert(
      fc.property(csvish, (text) => {
        let expected: string[][];
        try {
          expected = parse(text, {
            record_delimiter: ['\r\n', '\n', '\r'],
            relax_column_count: true,
            bom: false,
          });
        } catch {
          return;
        }
        // Like ours, it can express an empty line only as a record with one empty field.
        const records: string[][] = [];
        for (let at = 0; at < text.length; ) {
          const record = splitRecord(text, at, ',', true);
          if (record.kind !== 'record') throw new Error(`${record.kind} in ${JSON.stringify(text)}`);
          records.push(record.cells);
          at = record.end;
        }
        expect(records).toEqual(expected);
        compared += 1;
      }),
      { numRuns: 3000 },
    );
    expect(compared).toBeGreaterThan(500);
  });
});

describe('[FILL21] JSON rows, generated', () => {
  it('JSON rows: valid exactly if JSON.parse accepts them', () => {
    fc.assert(
      fc.property(jsonish, fc.integer({ min: 1, max: 9 }), (text, chunk) => {
        const result = json(utf8(text), chunk);
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          expect(result).toBe('INVALID_ROWS_JSON');
          return;
        }
        const rowsOnly =
          Array.isArray(value) &&
          value.every((row) => row !== null && typeof row === 'object' && !Array.isArray(row));
        if (!rowsOnly || text.includes('__proto__')) expect(result).toBeTypeOf('string');
        else expect(result).toHaveLength((value as unknown[]).length);
      }),
      { numRuns: 5000 },
    );
  });

  it('string cells and number texts: returned unchanged', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    );
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.constantFrom('column_0', 'column_1', 'other'), cell)),
        fc.integer({ min: 1, max: 50 }),
        (rows, chunk) => {
          const result = json(utf8(JSON.stringify(rows)), chunk);
          const expected = rows.map((row) =>
            Object.entries(row).flatMap(([key, value]) => {
              const text = typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value);
              return value === null || text === '' ? [] : [[key, text]];
            }),
          );
          expect(Array.isArray(result) ? result.map((row) => [...row]) : result).toEqual(expected);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('arbitrary bytes: rows or a refusal, and no other error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const result = json(bytes, 7);
        expect(typeof result === 'string' || Array.isArray(result)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('packages, generated', () => {
  const secretKey = new Uint8Array(32).fill(3);
  const options = { codec, trustedKeys: [publicKeyOf(secretKey)] };
  const sealed = sealPackage({
    layout: layoutSchema.parse({ format: 'rowpress.layout', version: 1 }),
    source: { sha256: '0'.repeat(64), page_count: 1, pages: [], form_fields: [], signed: false, xfa: false },
    assets: new Map([['assets/a.png', utf8('not really')]]),
    secretKey,
    codec,
  });
  if (!sealed.ok) throw new Error(sealed.message);
  const original = sealed.bytes;

  it('[PKG3] a changed, inserted or removed byte: rejected', () => {
    fc.assert(
      fc.property(
        fc.nat(original.length - 1),
        fc.nat(40),
        fc.uint8Array({ maxLength: 40 }),
        (at, removed, inserted) => {
          const bytes = Uint8Array.of(
            ...original.subarray(0, at),
            ...inserted,
            ...original.subarray(at + removed),
          );
          fc.pre(bytes.length !== original.length || bytes.some((byte, index) => byte !== original[index]));
          expect(openPackage(bytes, options).ok).toBe(false);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('[PKG5] arbitrary bytes behind a ZIP signature: no unexpected error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(5), (junk, entries) => {
        const tail = new Uint8Array(22);
        const view = new DataView(tail.buffer);
        view.setUint32(0, 0x06054b50, true);
        view.setUint16(10, entries, true);
        view.setUint32(12, junk.length, true);
        expect(openPackage(Uint8Array.of(...junk, ...tail), options).ok).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it('[PKG2] a container: the names and contents that were written', () => {
    const name = fc.stringMatching(/^assets\/[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/);
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.uint8Array({ maxLength: 50 }), { noNullPrototype: true }),
        (files) => {
          const entries = new Map(Object.entries(files));
          const read = readContainer(writeContainer(entries, codec), codec);
          expect(read.ok && [...read.entries].sort()).toEqual([...entries].sort());
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('[FILL17] file names, generated', () => {
  it('file names: safe, short, and start with the row number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.array(fc.string({ unit: 'binary', maxLength: 200 }), { minLength: 3, maxLength: 3 }),
        (row, values) => {
          const cells = new Map(values.map((value, index) => [`column_${index}`, value]));
          const name = rowFileName(row, cells, [...cells.keys()]);
          expect(name).toMatch(new RegExp(`^row_${row}(_[^<>:"/\\\\|?*\\p{Cc}\\p{Cs}]+)?\\.pdf$`, 'u'));
          expect(utf8(name).length).toBeLessThanOrEqual(180);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
