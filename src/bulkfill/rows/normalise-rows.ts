import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { DecimalSignFinder, type DecimalSigns } from '#fill/values/decimal-signs.ts';
import { CsvRows } from '#lib/rows/csv-rows.ts';
import { JsonRows } from '#lib/rows/json-rows.ts';
import { type RowDecoder, type RowLimits, readRows } from '#lib/rows/read-rows.ts';
import { normalisedRow } from '#lib/rows/rows-digest.ts';
import { RowsRefused, type RowsRefusedCode } from '#lib/rows/rows-refused.ts';

/** An uploaded row input and where its normalised form goes. */
export interface RowSource {
  readonly path: string;
  /** `sheet`: our own JSON of a workbook (rows-of-workbook.ts). */
  readonly format: 'json' | 'csv' | 'sheet';
  readonly header: boolean;
  /** Of a CSV; undefined means the byte order mark, else UTF-8. */
  readonly encoding?: string | undefined;
  readonly limits: RowLimits;
  readonly output: string;
  /** Rows to a slice, if not as many as of plain rows. */
  readonly sliceRows?: number;
}

export type NormalisedRows =
  | {
      readonly ok: true;
      readonly sha256: string;
      readonly count: number;
      readonly slices: readonly RowSlice[];
      /** Of all columns; a job keeps those that its layout formats as numbers. */
      readonly decimalSigns: DecimalSigns;
    }
  | { readonly ok: false; readonly code: RowsRefusedCode; readonly message: string };

/** A stretch of the normalised file. */
export interface RowSlice {
  readonly firstRow: number;
  readonly rows: number;
  readonly start: number;
  readonly end: number;
}

/** About an eighth of a second of plain rows: short enough that a killed worker costs little. */
const SLICE_ROWS = 1_000;
/** A row with photographs takes a hundred times as long. */
export const PICTURE_SLICE_ROWS = 100;
/** Rows of large cells are slow rows; a slice of them is cut by size instead. */
const SLICE_BYTES = 4_000_000;

/**
 * Reads rows of any input and writes them in their one normal form, a line each, cut into slices. The digest is
 * that of the normal form, so CSV and JSON with equal cells are the same rows. Streams both ways.
 */
export async function normaliseRows(source: RowSource): Promise<NormalisedRows> {
  const output = await open(source.output, 'w', 0o600);
  try {
    const cutter = new SliceCutter(source.sliceRows);
    const finder = new DecimalSignFinder();
    const hash = createHash('sha256');
    const input = createReadStream(source.path, { highWaterMark: 1 << 20 });
    for await (const batch of readRows(input, decoderFor(source), source.limits)) {
      for (const row of batch) for (const [key, cell] of row) finder.see(key, cell);
      const bytes = Buffer.from(cutter.lines(batch.map(normalisedRow)));
      hash.update(bytes);
      // `write` may take less than it is given; `writeFile` on a handle appends all of it.
      await output.writeFile(bytes);
    }
    return {
      ok: true,
      sha256: hash.digest('hex'),
      count: cutter.rows,
      slices: cutter.end(),
      decimalSigns: finder.signs(),
    };
  } catch (error) {
    if (error instanceof RowsRefused) return { ok: false, code: error.code, message: error.message };
    throw error;
  } finally {
    await output.close();
  }
}

function decoderFor({ format, header, encoding, limits }: RowSource): RowDecoder {
  if (format === 'csv') return new CsvRows({ header, encoding, limits, encodingSetting: 'csv_encoding=' });
  return new JsonRows(limits, format === 'sheet' ? 'error' : 'blank');
}

/** Joins lines and notes where slices begin and end. */
export class SliceCutter {
  readonly #slices: RowSlice[] = [];
  readonly #sliceRows: number;
  #firstRow = 1;
  #start = 0;
  #at = 0;
  rows = 0;

  constructor(sliceRows = SLICE_ROWS) {
    this.#sliceRows = sliceRows;
  }

  lines(rows: readonly string[]): string {
    let text = '';
    for (const row of rows) {
      text += `${row}\n`;
      this.rows += 1;
      this.#at += Buffer.byteLength(row) + 1;
      if (this.rows - this.#firstRow + 1 >= this.#sliceRows || this.#at - this.#start >= SLICE_BYTES)
        this.#cut();
    }
    return text;
  }

  end(): readonly RowSlice[] {
    if (this.#at > this.#start) this.#cut();
    return this.#slices;
  }

  #cut(): void {
    this.#slices.push({
      firstRow: this.#firstRow,
      rows: this.rows - this.#firstRow + 1,
      start: this.#start,
      end: this.#at,
    });
    this.#firstRow = this.rows + 1;
    this.#start = this.#at;
  }
}
