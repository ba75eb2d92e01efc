import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { DecimalSignFinder, type DecimalSigns } from '#fill/values/decimal-signs.ts';
import type { Slice } from '#lib/records/slice.ts';
import { CsvRows } from '#lib/rows/csv-rows.ts';
import { JsonRows } from '#lib/rows/json-rows.ts';
import { type ColumnInput, type LabelledColumn, LabelledRows } from '#lib/rows/labelled-rows.ts';
import { type RowDecoder, type RowLimits, readRows } from '#lib/rows/read-rows.ts';
import { normalisedRow } from '#lib/rows/rows-digest.ts';
import { RowsRefused, type RowsRefusedCode } from '#lib/rows/rows-refused.ts';
import { RowLines } from './row-lines.ts';

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
}

export type NormalisedRows =
  | {
      readonly ok: true;
      readonly sha256: string;
      readonly count: number;
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
  const output = await open(source.output, 'w', 0o600);
  try {
    const lines = new RowLines(source.sliceRows);
    const finder = new DecimalSignFinder();
    const hash = createHash('sha256');
    const input = createReadStream(source.path, { highWaterMark: 1 << 20 });
    const decoder = decoderFor(source);
    for await (const batch of readRows(input, decoder, source.limits)) {
      for (const row of batch) for (const [key, cell] of row) finder.see(key, cell);
      const bytes = lines.encode(batch.map(normalisedRow));
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
    if (error instanceof RowsRefused) return { ok: false, code: error.code, message: error.message };
    throw error;
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
