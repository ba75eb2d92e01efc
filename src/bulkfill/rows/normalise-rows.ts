import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { GroupIndex } from '#fill/node/groups/group-index.ts';
import { groupLines } from '#fill/node/groups/group-lines.ts';
import { DecimalSignFinder, type DecimalSigns } from '#fill/values/decimal-signs.ts';
import type { Slice } from '#lib/records/slice.ts';
import { CsvRows } from '#lib/rows/csv-rows.ts';
import { JsonRows } from '#lib/rows/json-rows.ts';
import { type ColumnInput, type LabelledColumn, LabelledRows } from '#lib/rows/labelled-rows.ts';
import { type RowDecoder, type RowLimits, readRows } from '#lib/rows/read-rows.ts';
import type { RowCells } from '#lib/rows/row-cells.ts';
import { normalisedRow } from '#lib/rows/rows-digest.ts';
import { RowsRefused, type RowsRefusedCode } from '#lib/rows/rows-refused.ts';
import { GroupSlices, RowLines } from './row-lines.ts';

/** An uploaded row input, and the file for its normal form. */
export interface RowSource {
  readonly path: string;
  /** `sheet` is our own JSON of a workbook (rows-of-workbook.ts). */
  readonly format: 'json' | 'csv' | 'sheet';
  readonly header: boolean;
  /** The encoding of a CSV. If undefined, the byte order mark decides, else UTF-8. */
  readonly encoding?: string | undefined;
  /** Columns that the names of the input are matched to. If undefined, columns are matched by position. */
  readonly labels?: readonly LabelledColumn[] | undefined;
  readonly limits: RowLimits;
  readonly output: string;
  /** Rows per slice; the default is for plain rows. */
  readonly sliceRows?: number;
  /** Keys of the columns whose values make rows one document. */
  readonly groupBy?: readonly string[] | undefined;
}

export type NormalisedRows =
  | {
      readonly ok: true;
      /** Of the rows in the order of the input. */
      readonly sha256: string;
      /** Number of documents: of rows, or of groups. */
      readonly count: number;
      /** Number of rows, if they are grouped. */
      readonly inputCount?: number;
      readonly slices: readonly Slice[];
      /** For all columns. A job keeps those that its layout formats as numbers. */
      readonly decimalSigns: DecimalSigns;
      /** Only if columns are matched by label. */
      readonly columns?: readonly ColumnInput[];
      /** The header of a CSV whose columns are matched by position. */
      readonly header?: readonly string[] | undefined;
    }
  | { readonly ok: false; readonly code: RowsRefusedCode; readonly message: string };

/**
 * Reads rows of any input and writes their normal form, one line each, cut into slices. The digest is that of the normal form, so CSV and
 * JSON with equal cells are the same rows. Holds neither input nor output in memory.
 */
export async function normaliseRows(source: RowSource): Promise<NormalisedRows> {
  if (source.groupBy === undefined) return normaliseTo(source, source.output);
  const rows = `${source.output}.ungrouped`;
  try {
    const index = new GroupIndex(source.groupBy);
    const read = await normaliseTo(source, rows, (cells, lineBytes) => index.add(cells, lineBytes));
    return read.ok ? { ...read, ...(await writeGroups(rows, index, source)) } : read;
  } catch (error) {
    return refused(error);
  } finally {
    await rm(rows, { force: true });
  }
}

/** Groups are written about this many bytes at a time. */
const WRITE_BYTES = 1 << 20;

/** Writes the groups in their normal form (fill/node/groups), cut into slices of whole groups. */
async function writeGroups(
  rows: string,
  index: GroupIndex,
  { output: path, sliceRows }: RowSource,
): Promise<{ readonly count: number; readonly inputCount: number; readonly slices: readonly Slice[] }> {
  const input = await open(rows, 'r');
  const output = await open(path, 'w', 0o600);
  try {
    const lines = new GroupSlices(sliceRows);
    let pending: Buffer[] = [];
    let bytes = 0;
    for (const group of groupLines(input.fd, index)) {
      lines.add(group.length);
      pending.push(group);
      bytes += group.length;
      if (bytes < WRITE_BYTES) continue;
      await output.writeFile(Buffer.concat(pending));
      pending = [];
      bytes = 0;
    }
    await output.writeFile(Buffer.concat(pending));
    return { count: index.count, inputCount: index.rows, slices: lines.slices() };
  } finally {
    await input.close();
    await output.close();
  }
}

function refused(error: unknown): Extract<NormalisedRows, { ok: false }> {
  if (error instanceof RowsRefused) return { ok: false, code: error.code, message: error.message };
  throw error;
}

async function normaliseTo(
  source: RowSource,
  path: string,
  onRow?: (cells: RowCells, lineBytes: number) => void,
): Promise<NormalisedRows> {
  const output = await open(path, 'w', 0o600);
  try {
    const lines = new RowLines(source.sliceRows);
    const finder = new DecimalSignFinder();
    const hash = createHash('sha256');
    const input = createReadStream(source.path, { highWaterMark: 1 << 20 });
    const decoder = decoderFor(source);
    for await (const batch of readRows(input, decoder, source.limits)) {
      for (const row of batch) for (const [key, cell] of row) finder.see(key, cell);
      const texts = batch.map(normalisedRow);
      if (onRow !== undefined)
        for (const [n, row] of batch.entries()) onRow(row, Buffer.byteLength(texts[n] ?? '') + 1);
      const bytes = lines.encode(texts);
      hash.update(bytes);
      // `write` may write only a part; `writeFile` on a handle appends everything.
      await output.writeFile(bytes);
    }
    return {
      ok: true,
      sha256: hash.digest('hex'),
      count: lines.count,
      slices: lines.slices(),
      decimalSigns: finder.signs(),
      ...(decoder instanceof LabelledRows && { columns: decoder.columns() }),
      ...(decoder instanceof CsvRows && { header: decoder.header }),
    };
  } catch (error) {
    return refused(error);
  } finally {
    await output.close();
  }
}

function decoderFor({ format, header, encoding, labels, limits }: RowSource): RowDecoder {
  // With labels, the first row is the header that they are matched to.
  const byLabel = labels !== undefined;
  const settings = { header: header && !byLabel, encoding, limits, encodingSetting: 'csv_encoding=' };
  const decoder =
    format === 'csv'
      ? new CsvRows(settings)
      : new JsonRows(limits, format === 'sheet' ? 'error' : 'blank', byLabel ? 'kept' : 'dropped');
  return byLabel ? new LabelledRows(decoder, labels, format === 'json' ? 'keys' : 'header') : decoder;
}
