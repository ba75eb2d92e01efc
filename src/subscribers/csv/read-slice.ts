import type { Blobs } from '#engine/blobs.ts';
import { innerLines, splitKnownRecord } from '#lib/records/csv/split-record.ts';
import type { Slice } from '#lib/records/slice.ts';
import type { CsvSource } from './store-csv.ts';

export interface CsvRow {
  /** Position among the rows of the file, from 0. */
  readonly index: number;
  /** Line of the file; line 1 contains the headers. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Reads the text of one slice. */
export async function readSliceText(
  blobs: Pick<Blobs, 'readAll'>,
  source: Pick<CsvSource, 'digest'>,
  { start, end }: Slice,
): Promise<string> {
  return (await blobs.readAll(source.digest, { start, end })).toString();
}

/** Yields the rows of a slice one by one, so that each can be garbage-collected after use. */
export function* rowsOf(text: string, separator: string, slice: Slice): Generator<CsvRow> {
  const { firstRow, rows } = slice;
  let index = firstRow - 1;
  let line = slice.line ?? 1;
  for (let at = 0; at < text.length; ) {
    const { cells, end } = splitKnownRecord(text, at, separator);
    yield { index, line, cells };
    index += 1;
    line += 1 + innerLines(cells);
    at = end;
  }
  if (index !== firstRow - 1 + rows) throw new Error(`bug: slice at row ${firstRow} ended at row ${index}`);
}
