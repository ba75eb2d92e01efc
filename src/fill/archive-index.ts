import { LINE_SEPARATOR, type ManifestSummary, rowResultJson, SummaryCounter } from './results/manifest.ts';
import type { RowRecord } from './row-filler.ts';
import type { ZipRow } from './zip/zip-plan.ts';

/** Records of several rows in compact form; most of it can be moved between threads without a copy. */
export interface CompactRecords {
  readonly rows: number;
  /** The rows' lines of the manifest, joined as in the manifest. */
  readonly lines: Uint8Array;
  readonly zipRows: readonly ZipRow[];
  readonly failedRows: readonly number[];
  /** Rows that succeeded with a note, such as clipped text or a character that no font has. */
  readonly notedRows: readonly number[];
  readonly summary: ManifestSummary;
}

const encoder = new TextEncoder();

export function compactRecords(records: readonly RowRecord[]): CompactRecords {
  const counter = new SummaryCounter();
  const lines: string[] = [];
  const zipRows: ZipRow[] = [];
  const failedRows: number[] = [];
  const notedRows: number[] = [];
  for (const { result, zip } of records) {
    counter.add(result);
    lines.push(rowResultJson(result));
    if (result.status === 'success' && result.warnings.length > 0) notedRows.push(result.row_number);
    if (result.status === 'failed') failedRows.push(result.row_number);
    if (zip !== null) zipRows.push(zip);
  }
  return {
    rows: records.length,
    lines: encoder.encode(lines.join(LINE_SEPARATOR)),
    zipRows,
    failedRows,
    notedRows,
    summary: counter.summary(),
  };
}

/** Collects the index of an archive and the sums of its manifest. Rows must be added in order. */
export class ArchiveIndex {
  readonly zipRows: ZipRow[] = [];
  #rows = 0;
  #summary = new SummaryCounter().summary();

  add({ rows, zipRows, summary: added }: Pick<CompactRecords, 'rows' | 'zipRows' | 'summary'>): void {
    this.#rows += rows;
    for (const row of zipRows) this.zipRows.push(row);
    const sum = this.#summary;
    this.#summary = {
      produced_rows: sum.produced_rows + added.produced_rows,
      success_rows: sum.success_rows + added.success_rows,
      partial_rows: sum.partial_rows + added.partial_rows,
      failed_rows: sum.failed_rows + added.failed_rows,
      applied_overlay_count: sum.applied_overlay_count + added.applied_overlay_count,
      skipped_overlay_count: sum.skipped_overlay_count + added.skipped_overlay_count,
    };
  }

  get rows(): number {
    return this.#rows;
  }

  get summary(): ManifestSummary {
    return this.#summary;
  }
}
