import type { ColumnInput } from '#lib/rows/labelled-rows.ts';
import type { TopLevelWarning } from '../package/compare-source.ts';
import type { RowError, RowStatus, RowWarning } from './row-outcome.ts';

/**
 * manifest.json, version 2: the result of every row. A job of 100,000 rows has a manifest of about 20 MB, so it is written in
 * pieces: a head, one line per finished row, and an end. Member order, white space and number format are fixed, because a
 * job that runs again must produce the same archive to the byte.
 */
export interface RowResult {
  readonly row_number: number;
  /** In a retry: the number of the row in the original job. */
  readonly source_row_number?: number;
  /** If rows were grouped: the numbers of the group's rows in the input. `row_number` is then the number of the group. */
  readonly row_numbers?: readonly number[];
  readonly status: RowStatus;
  readonly file_name: string | null;
  readonly applied_overlay_count: number;
  readonly skipped_overlay_count: number;
  readonly warnings: readonly RowWarning[];
  readonly error: RowError | null;
  /** With a merged PDF: the number of the row's first page in it, from 1; null if the row failed. */
  readonly first_page?: number | null;
  /** SHA-256 of the row's PDF in lower-case hex; null if there is none. */
  readonly sha256: string | null;
}

export interface ManifestSummary {
  readonly produced_rows: number;
  readonly success_rows: number;
  readonly partial_rows: number;
  readonly failed_rows: number;
  readonly applied_overlay_count: number;
  readonly skipped_overlay_count: number;
}

/** The PDF of all rows in the ZIP. */
export interface MergedEntry {
  readonly file_name: string;
  readonly page_count: number;
  readonly sha256: string;
}

export interface ManifestHead {
  /** The engine that produced the bytes. Rows are reproducible for one engine version. */
  readonly engine: string;
  readonly rows: number;
  /** Rows of the input, if they were grouped; `rows` is then the number of groups. */
  readonly input_rows?: number | undefined;
  readonly timestamp: string;
  readonly source: {
    readonly pdf_sha256: string;
    readonly page_count: number;
    readonly package_sha256: string;
  };
  readonly options: Readonly<
    Record<
      string,
      boolean | number | string | readonly string[] | Readonly<Record<string, string | number | boolean>>
    >
  >;
  readonly summary: ManifestSummary;
  readonly warnings: readonly TopLevelWarning[];
  /** The PDF of all rows, if there is one. */
  readonly merged?: MergedEntry | undefined;
  /** The input of each column, if columns were matched by label. */
  readonly columns?: readonly ColumnInput[] | undefined;
}

/** One row's entry as text, without a line end. */
export function rowResultJson(result: RowResult): string {
  return JSON.stringify({
    row_number: result.row_number,
    ...(result.source_row_number !== undefined && { source_row_number: result.source_row_number }),
    ...(result.row_numbers !== undefined && { row_numbers: result.row_numbers }),
    status: result.status,
    file_name: result.file_name,
    applied_overlay_count: result.applied_overlay_count,
    skipped_overlay_count: result.skipped_overlay_count,
    warnings: result.warnings.map(({ code, message, overlay_id, input_row_number }) => ({
      code,
      message,
      overlay_id,
      ...(input_row_number !== undefined && { input_row_number }),
    })),
    error: result.error === null ? null : { code: result.error.code, message: result.error.message },
    ...(result.first_page !== undefined && { first_page: result.first_page }),
    sha256: result.sha256,
  });
}

/** Separates the lines of two rows. Several lines joined by it can be added as one. */
export const LINE_SEPARATOR = ',\n    ';

/** The manifest up to its first row's line. It contains the sums, so it is written first but known last. */
export function manifestOpening(head: ManifestHead): string {
  const members = {
    version: 2,
    engine: head.engine,
    rows: head.rows,
    ...(head.input_rows !== undefined && { input_rows: head.input_rows }),
    timestamp: head.timestamp,
    source: head.source,
    options: head.options,
    summary: head.summary,
    warnings: head.warnings,
    ...(head.merged !== undefined && { merged: head.merged }),
    ...(head.columns !== undefined && { columns: head.columns }),
  };
  return `${JSON.stringify(members, null, 2).slice(0, -2)},\n  "row_results": [`;
}

export const BEFORE_FIRST_LINE = '\n    ';
export const MANIFEST_ENDING = '\n  ]\n}\n';

/** Adds up results. A failed row adds nothing to the overlay sums. */
export class SummaryCounter {
  #success = 0;
  #partial = 0;
  #failed = 0;
  #applied = 0;
  #skipped = 0;

  add(row: Pick<RowResult, 'status' | 'applied_overlay_count' | 'skipped_overlay_count'>): void {
    if (row.status === 'failed') {
      this.#failed += 1;
      return;
    }
    if (row.status === 'success') this.#success += 1;
    else this.#partial += 1;
    this.#applied += row.applied_overlay_count;
    this.#skipped += row.skipped_overlay_count;
  }

  summary(): ManifestSummary {
    return {
      produced_rows: this.#success + this.#partial,
      success_rows: this.#success,
      partial_rows: this.#partial,
      failed_rows: this.#failed,
      applied_overlay_count: this.#applied,
      skipped_overlay_count: this.#skipped,
    };
  }
}
