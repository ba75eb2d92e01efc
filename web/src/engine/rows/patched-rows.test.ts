import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { workbook } from '../../../../test/support/workbook.ts';
import type { RowsReading } from '../../project/project.ts';
import { correctedCsv } from './corrected-csv.ts';
import { openRows } from './open-rows.ts';
import { rowsToSend } from './rows-to-send.ts';

const READING: RowsReading = { delimiter: null, encoding: null, header: true };

async function open(content: string | Uint8Array, reading: Partial<RowsReading> = {}) {
  const opened = await openRows(
    new Blob([content as BlobPart]),
    'rows.csv',
    { ...READING, ...reading },
    () => undefined,
  );
  if (!opened.ok) throw new Error(opened.message);
  return opened;
}
const patches = (...cells: readonly (readonly [number, number, string, string])[]) => ({
  file: 'digest',
  cells: cells.map(([row, column, was, text]) => ({ row, column: `column_${column}`, was, text })),
});
const CSV = 'Name;Town\nAda;London\nKurt;Brno\nEmmy\n';

describe('rows with corrections', () => {
  it('[EDT125] a corrected cell: is read with its new text, other cells stay', async () => {
    const { rows, unfitting } = await open(CSV, {
      patches: patches([2, 0, 'Kurt', 'Gödel'], [3, 1, '', 'Erlangen'], [1, 1, 'London', '']),
    });
    expect(unfitting).toEqual([]);
    expect([1, 2, 3].map((row) => rows.cells(row))).toEqual([
      ['Ada', ''],
      ['Gödel', 'Brno'],
      ['Emmy', 'Erlangen'],
    ]);
    expect([...rows.engineCells(1)]).toEqual([['column_0', 'Ada']]);
    expect(rows.info.header).toEqual(['Name', 'Town']);
  });

  it('[EDT125] reordered columns: the correction stays with the column of the project', async () => {
    const swapped = 'Town;Name\nLondon;Ada\n';
    const { rows } = await open(swapped, { columns: [1, 0], patches: patches([1, 0, 'Ada', 'Ada L.']) });
    expect(rows.cells(1)).toEqual(['Ada L.', 'London']);
    // One column of the file may fill two of the project: both show the correction.
    const twice = await open(swapped, { columns: [1, 0, 1], patches: patches([1, 0, 'Ada', 'Ada L.']) });
    expect(twice.rows.cells(1)).toEqual(['Ada L.', 'London', 'Ada L.']);
  });

  it('[EDT130] a correction of another text, row or column: is not applied and is returned', async () => {
    const all = patches([1, 0, 'Ada', 'A'], [2, 0, 'Ada', 'B'], [9, 0, '', 'C'], [1, 5, '', 'D']);
    const { rows, unfitting } = await open(CSV, { patches: all });
    expect(unfitting).toEqual(all.cells.slice(1));
    expect(rows.cells(1)).toEqual(['A', 'London']);
    // Without a header, every row moves down by one.
    const shifted = await open(CSV, { header: false, patches: patches([1, 0, 'Ada', 'A']) });
    expect(shifted.unfitting).toHaveLength(1);
    expect(shifted.rows.cells(1)).toEqual(['Name', 'Town']);
  });

  it('[EDT125] corrected numbers: decide how the column is read', async () => {
    const numbers = 'Sum\n"1,5"\n12\n';
    expect((await open(numbers)).rows.info.decimalSigns).toEqual({ column_0: ',' });
    const pointed = await open(numbers, { patches: patches([1, 0, '1,5', '1.5']) });
    expect(pointed.rows.info.decimalSigns).toEqual({});
    const word = await open(numbers, { patches: patches([2, 0, '12', 'twelve']) });
    expect(word.rows.info.decimalSigns).toEqual({ column_0: ',' });
  });

  it('[EDT125] corrected columns: have the same facts as a file with these texts, in any order of columns', async () => {
    const content = 'A;B;C\n1,5;x;01.02.2026\n2;y;31.12.2026\n';
    const same = 'A;B;C\n1.5;x;01.02.2026\n2;7;tomorrow\n';
    const cells = [
      [1, 2, '1,5', '1.5'],
      [2, 0, '31.12.2026', 'tomorrow'],
      [2, 1, 'y', '7'],
    ] as const;
    const columns = [2, 1, 0, null, 0];
    const corrected = await open(content, { columns, patches: patches(...cells) });
    expect(corrected.unfitting).toEqual([]);
    expect(corrected.rows.info).toEqual((await open(same, { columns })).rows.info);
  });

  it('[EDT125] the last cell with a workbook error is corrected: the rows are sent as CSV', async () => {
    const book = workbook([['Name'], [{ error: '#N/A' }]]);
    expect((await open(book)).rows.info.sentAs).toBe('xlsx');
    const { rows } = await open(book, { patches: patches([1, 0, '', 'Ada']) });
    expect(rows.info.sentAs).toBe('csv');
    expect([...rows.engineCells(1)]).toEqual([['column_0', 'Ada']]);
  });
});

describe('rows as a run sends them', () => {
  it('[EDT2][EDT125] other corrections: give other bytes and another digest; none give those of the file', async () => {
    const sent = async (reading: Partial<RowsReading>) =>
      rowsToSend((await open(CSV, reading)).rows, [[1, 3]]);
    const plain = await sent({});
    const corrected = await sent({ patches: patches([2, 0, 'Kurt', 'Gödel']) });
    const otherwise = await sent({ patches: patches([2, 0, 'Kurt', 'K.']) });
    expect(await corrected.file.text()).toBe('"Ada","London"\r\n"Gödel","Brno"\r\n"Emmy"\r\n');
    expect(new Set([plain.sha256, corrected.sha256, otherwise.sha256]).size).toBe(3);
    expect((await sent({ patches: patches() })).sha256).toBe(plain.sha256);
  });
});

describe('the corrected file', () => {
  const textOf = async (content: string | Uint8Array, reading: Partial<RowsReading> = {}) => {
    const { rows } = await open(content, reading);
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      await (await correctedCsv(rows, new Blob([content as BlobPart]))).arrayBuffer(),
    );
  };

  it('[EDT131] columns in another order: keeps the order, header and delimiter of the file', async () => {
    const reading = { columns: [1, 0], patches: patches([2, 1, 'Kurt', 'Kurt; "K."']) };
    expect(await textOf(CSV, reading)).toBe('Name;Town\r\nAda;London\r\n"Kurt; ""K.""";Brno\r\nEmmy;\r\n');
  });

  it('[EDT131] a byte order mark: is written if the file has one', async () => {
    expect(await textOf('\ufeffa,b\n1,2\n')).toBe('\ufeffa,b\r\n1,2\r\n');
    expect(await textOf('a,b\n1,2\n')).toBe('a,b\r\n1,2\r\n');
  });

  it('[EDT131] any cells: are read back as they were', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'ü', '"', ',', ';', '\n', ' ', '0') });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 }), async (texts) => {
        const content = `h1,h2\n${texts.map(() => 'x,y').join('\n')}\n`;
        const cells = texts.flatMap(([a, b], index): [number, number, string, string][] => [
          [index + 1, 0, 'x', a],
          [index + 1, 1, 'y', b],
        ]);
        const again = await open(await textOf(content, { patches: patches(...cells) }), { delimiter: ',' });
        expect(
          texts.map((_, index) =>
            again.rows
              .cells(index + 1)
              .concat('', '')
              .slice(0, 2),
          ),
        ).toEqual(texts);
      }),
      { numRuns: 40 },
    );
  });
});
