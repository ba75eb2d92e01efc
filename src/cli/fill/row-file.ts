import path from 'node:path';
import { DecimalSignFinder, type DecimalSigns } from '#fill/values/decimal-signs.ts';
import { CsvRows } from '#lib/rows/csv-rows.ts';
import { JsonRows } from '#lib/rows/json-rows.ts';
import { type ColumnInput, type LabelledColumn, LabelledRows } from '#lib/rows/labelled-rows.ts';
import { DEFAULT_ROW_LIMITS, type RowDecoder, type RowLimits, readRows } from '#lib/rows/read-rows.ts';
import type { RowCells } from '#lib/rows/row-cells.ts';
import { RowsRefused } from '#lib/rows/rows-refused.ts';
import { reason } from '../files.ts';
import { CliRefusal } from './cli-refusal.ts';
import type { FillFlags } from './fill-flags.ts';
import { refusalInWords } from './foreign-rows.ts';
import { rowBytes } from './row-bytes.ts';
import { sheetOf } from './sheet-rows.ts';

/**
 * A rows file. A large one is read twice: once to count and to reject a bad file before any output exists, once to
 * fill. The threshold needs the count, and holding 100,000 rows would take more memory than the rest of the run.
 */
export interface RowFile {
  /** Number of documents: of rows, or of groups. */
  readonly count: number;
  /** Number of rows, if they are grouped. */
  readonly inputCount?: number;
  /** Columns in which at least one row has a value. */
  readonly columns: ReadonlySet<string>;
  readonly decimalSigns: DecimalSigns;
  /** Only if columns are matched by label. */
  readonly inputs: readonly ColumnInput[] | undefined;
  /** The header of a CSV whose columns are matched by position. */
  readonly header: readonly string[] | undefined;
  batches(): AsyncIterable<readonly RowCells[]> | Iterable<readonly RowCells[]>;
}

const KEPT_ROWS = 20_000;
const HEAD_BYTES = 1 << 16;
/**
 * Rows are decoded about a hundred at a time: objects that live long are more expensive to collect than short-lived
 * ones.
 */
const DECODED_BYTES = 1 << 13;

/** Options for reading a rows file. */
export interface RowReading extends Pick<FillFlags, 'csvHeader' | 'csvEncoding' | 'cellValues'> {
  /** Columns that the names of the file are matched to; left out, columns are matched by position. */
  readonly labels?: readonly LabelledColumn[] | undefined;
}

/** Opens a rows file. `counted` receives the number of rows so far, for work that need not wait for the total. */
export async function openRowFile(
  file: string,
  reading: RowReading,
  counted: (rows: number) => void = () => undefined,
  limits: RowLimits = DEFAULT_ROW_LIMITS,
): Promise<RowFile> {
  const name = file === '-' ? 'standard input' : file;
  const json = path.extname(file).toLowerCase() === '.json';
  const bytes = await rowBytes(file).catch((error: unknown) => unreadable(name, error));
  const sheet = json
    ? null
    : await sheetOf(name, bytes, reading, limits).catch((error: unknown) => {
        if (error instanceof CliRefusal) throw error;
        return unreadable(name, error);
      });
  const chunks = sheet === null ? bytes : () => [sheet];
  let head: Uint8Array = new Uint8Array(0);
  let inputs: readonly ColumnInput[] | undefined;
  let header: readonly string[] | undefined;
  async function* read(): AsyncGenerator<readonly RowCells[]> {
    const decoder = decoderFor(json ? 'json' : sheet === null ? 'csv' : 'sheet', reading, limits);
    const keepHead = (bytes: Uint8Array) => {
      if (head.length === 0) head = bytes.subarray(0, HEAD_BYTES);
    };
    try {
      yield* readRows(pieces(chunks(), keepHead), decoder, limits);
      if (decoder instanceof LabelledRows) inputs = decoder.columns();
      if (decoder instanceof CsvRows) header = decoder.header;
    } catch (error) {
      if (error instanceof RowsRefused) throw new CliRefusal(error.code, refusalInWords(name, head, error));
      unreadable(name, error);
    }
  }

  let count = 0;
  const columns = new Set<string>();
  const finder = new DecimalSignFinder();
  let kept: (readonly RowCells[])[] | null = [];
  for await (const batch of read()) {
    count += batch.length;
    counted(count);
    if (count > KEPT_ROWS) kept = null;
    kept?.push(batch);
    for (const row of batch)
      for (const [column, cell] of row) {
        columns.add(column);
        finder.see(column, cell);
      }
  }
  const held = kept;
  const decimalSigns = finder.signs();
  return {
    count,
    columns,
    decimalSigns,
    inputs,
    header,
    batches: held === null ? () => sameAgain(name, read(), count) : () => held,
  };
}

function decoderFor(
  format: 'json' | 'csv' | 'sheet',
  { csvHeader, csvEncoding: encoding, labels }: RowReading,
  limits: RowLimits,
): RowDecoder {
  // With labels, the first row is the header that they are matched to.
  const byLabel = labels !== undefined;
  const header = csvHeader && !byLabel;
  const decoder =
    format === 'csv'
      ? new CsvRows({ header, encoding, limits, encodingSetting: '--csv-encoding ' })
      : new JsonRows(limits, format === 'sheet' ? 'error' : 'blank', byLabel ? 'kept' : 'dropped');
  return byLabel ? new LabelledRows(decoder, labels, format === 'json' ? 'keys' : 'header') : decoder;
}

/** Yields the rows again. The threshold uses the first count, so a file with another count now is rejected. */
async function* sameAgain(
  name: string,
  batches: AsyncIterable<readonly RowCells[]>,
  count: number,
): AsyncGenerator<readonly RowCells[]> {
  let rows = 0;
  for await (const batch of batches) {
    rows += batch.length;
    yield batch;
  }
  if (rows !== count)
    throw new CliRefusal('USAGE', `${name} changed while it was read: it had ${count} rows, then ${rows}`);
}

function unreadable(name: string, error: unknown): never {
  throw new CliRefusal('USAGE', `${name} cannot be read: ${reason(error)}`);
}

async function* pieces(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  begins: (bytes: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const bytes of chunks) {
    begins(bytes);
    for (let at = 0; at < bytes.length; at += DECODED_BYTES) yield bytes.subarray(at, at + DECODED_BYTES);
  }
}
