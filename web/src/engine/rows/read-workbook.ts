import { unzipSync, zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/web-worker';
import { DEFAULT_ROW_LIMITS } from '../../../../src/lib/rows/read-rows.ts';
import { RowsRefused } from '../../../../src/lib/rows/rows-refused.ts';
import type { ReadRowsFile } from './read-csv-file.ts';
import { RowStore } from './row-store.ts';

/** A workbook is a ZIP and may unpack to anything; nothing honest with 100,000 rows comes near this. */
const MAX_UNPACKED_BYTES = 400_000_000;

/** The first sheet of an XLSX workbook (ECMA-376), its cells as the server reads them (src/bulkfill/rows/xlsx-child.ts). */
export async function readWorkbook(file: Blob, maxColumns: number): Promise<ReadRowsFile> {
  const sheet = await firstSheet(file);
  while (sheet.at(-1)?.every((cell) => cell === null)) sheet.pop();
  if (sheet.length === 0) throw new RowsRefused('NO_ROWS', 'The first sheet of the workbook is empty.');
  if (sheet.length > DEFAULT_ROW_LIMITS.maxRows + 1)
    throw new RowsRefused('TOO_MANY_ROWS', `There are more than ${DEFAULT_ROW_LIMITS.maxRows} rows.`);
  const store = new RowStore();
  for (const row of sheet) store.add(row.map((cell) => (cell === null ? '' : textOf(cell))));
  if (store.columnCount > maxColumns)
    throw new RowsRefused(
      'TOO_MANY_COLUMNS',
      `There are ${store.columnCount} columns; at most ${maxColumns} are allowed.`,
    );
  store.seal();
  return { store, delimiter: null, encoding: null };
}

async function firstSheet(file: Blob): Promise<(unknown[] | readonly unknown[])[]> {
  const packed = new Uint8Array(await file.arrayBuffer());
  let unpacked = 0;
  try {
    const entries = unzipSync(packed, {
      filter: ({ originalSize }) => {
        unpacked += originalSize;
        if (unpacked > MAX_UNPACKED_BYTES)
          throw new RowsRefused('ROWS_TOO_LARGE', 'The workbook is too large when unpacked.');
        return true;
      },
    });
    // Stored instead of compressed: the reader would unpack large entries in workers made from blobs, which our
    // content security policy does not let it make.
    const stored = zipSync(entries, { level: 0 });
    // Numbers keep the text that the workbook holds: ids of 20 digits must not become floating point.
    return await readSheet(stored.buffer as ArrayBuffer, 1, {
      parseNumber: (text: string) => text as unknown as number,
      trim: false,
    });
  } catch (error) {
    if (error instanceof RowsRefused) throw error;
    throw new RowsRefused(
      'INVALID_CSV',
      'This is not a workbook that can be read. Save it as .xlsx or as CSV and try again.',
    );
  }
}

function textOf(cell: unknown): string {
  if (!(cell instanceof Date)) return String(cell);
  const iso = cell.toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19);
}
