import type { Blobs } from '#engine/blobs.ts';
import { splitRecord } from '#lib/records/csv/split-record.ts';
import { type CsvSlice, innerLines } from './csv-indexer.ts';
import type { CsvSource } from './store-csv.ts';

export interface CsvRow {
  readonly row: number;
  readonly line: number;
  readonly cells: readonly string[];
}

/** The text of one slice: at most its bytes are in memory. */
export async function readSliceText(
  blobs: Pick<Blobs, 'read'>,
  source: Pick<CsvSource, 'digest'>,
  { start, end }: CsvSlice,
): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of blobs.read(source.digest, { start, end })) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** Its rows, one after the other: a row that is done with is garbage before it has cost anything. */
export function* rowsOf(text: string, separator: string, slice: CsvSlice): Generator<CsvRow> {
  let { row, line } = slice;
  for (let at = 0; at < text.length; ) {
    const record = splitRecord(text, at, separator, true);
    if (record.kind !== 'record') throw new Error(`bug: slice at row ${slice.row} was readable before`);
    yield { row, line, cells: record.cells };
    row += 1;
    line += 1 + innerLines(record.cells);
    at = record.end;
  }
  if (row !== slice.row + slice.rows) throw new Error(`bug: slice at row ${slice.row} ended at row ${row}`);
}
