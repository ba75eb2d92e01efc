import type { Blobs } from '../../engine/blobs.ts';
import { splitRecord } from '../../lib/csv/split-record.ts';
import { type CsvSlice, innerLines } from './csv-indexer.ts';
import type { CsvSource } from './store-csv.ts';

export interface CsvRow {
  readonly row: number;
  readonly line: number;
  readonly cells: readonly string[];
}

/** The rows of one slice, read alone. At most a slice's bytes are in memory. */
export async function readSlice(
  blobs: Blobs,
  source: Pick<CsvSource, 'digest' | 'separator'>,
  slice: CsvSlice,
): Promise<CsvRow[]> {
  const parts: Uint8Array[] = [];
  for await (const part of blobs.read(source.digest, { start: slice.start, end: slice.end }))
    parts.push(part);
  const text = Buffer.concat(parts).toString();
  const rows: CsvRow[] = [];
  let { row, line } = slice;
  for (let at = 0; at < text.length; ) {
    const record = splitRecord(text, at, source.separator, true);
    if (record.kind !== 'record') throw new Error(`bug: slice at row ${slice.row} was readable before`);
    rows.push({ row, line, cells: record.cells });
    row += 1;
    line += 1 + innerLines(record.cells);
    at = record.end;
  }
  if (rows.length !== slice.rows) throw new Error(`bug: slice at row ${slice.row} has ${rows.length} rows`);
  return rows;
}
