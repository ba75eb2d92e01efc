import type { Codec } from './codec.ts';
import type { RowRecord } from './fill-row.ts';
import {
  LINE_SEPARATOR,
  type ManifestHead,
  type ManifestSummary,
  manifestText,
  rowResultJson,
  SummaryCounter,
} from './rows/manifest.ts';
import type { ZipManifest, ZipRow } from './zip/zip-plan.ts';

/** Some rows' records in the form that takes least room, and that moves between threads without being copied. */
export interface CompactRecords {
  readonly rows: number;
  /** The rows' lines of the manifest, joined as they stand there. */
  readonly lines: Uint8Array;
  readonly zipRows: readonly ZipRow[];
  readonly failedRows: readonly number[];
  readonly summary: ManifestSummary;
}

export function compactRecords(records: readonly RowRecord[]): CompactRecords {
  const counter = new SummaryCounter();
  for (const { result } of records) counter.add(result);
  return {
    rows: records.length,
    lines: new TextEncoder().encode(records.map(({ result }) => rowResultJson(result)).join(LINE_SEPARATOR)),
    zipRows: records.flatMap(({ zip }) => zip ?? []),
    failedRows: records.flatMap(({ result, zip }) => (zip === null ? [result.row_number] : [])),
    summary: counter.summary(),
  };
}

/**
 * Collects the records of a run, in row order, into what the archive needs besides base and tails: the index and the
 * manifest. Results are kept as finished lines of text, which is the smallest form in memory.
 */
export class ArchiveComposer {
  readonly zipRows: ZipRow[] = [];
  readonly #lines: (string | Uint8Array)[] = [];
  #rows = 0;
  #summary = new SummaryCounter().summary();

  add(record: RowRecord): void {
    const counter = new SummaryCounter();
    counter.add(record.result);
    this.#lines.push(rowResultJson(record.result));
    this.#count(1, record.zip === null ? [] : [record.zip], counter.summary());
  }

  /** Many rows at once; `lines` is kept as it is. */
  addCompact({ rows, lines, zipRows, summary }: CompactRecords): void {
    if (rows === 0) return;
    this.#lines.push(lines);
    this.#count(rows, zipRows, summary);
  }

  get rowCount(): number {
    return this.#rows;
  }

  summary(): ManifestSummary {
    return this.#summary;
  }

  #count(rows: number, zipRows: readonly ZipRow[], added: ManifestSummary): void {
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

  /** The manifest's bytes, piece by piece: 100,000 rows are 30 MB of it. */
  *manifestPieces(head: Omit<ManifestHead, 'rows' | 'summary'>): Generator<Uint8Array> {
    const encoder = new TextEncoder();
    const whole = { ...head, rows: this.#rows, summary: this.#summary };
    for (const text of manifestText(whole, this.#texts())) yield encoder.encode(text);
  }

  *#texts(): Generator<string> {
    const decoder = new TextDecoder();
    for (const lines of this.#lines) yield typeof lines === 'string' ? lines : decoder.decode(lines);
  }

  manifest(head: Omit<ManifestHead, 'rows' | 'summary'>, codec: Codec): ZipManifest {
    const pieces = [...this.manifestPieces(head)];
    const plain = new Uint8Array(pieces.reduce((total, piece) => total + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
      plain.set(piece, at);
      at += piece.length;
    }
    return { deflated: codec.deflate(plain), plainLength: plain.length, crc32: codec.crc32(plain) };
  }
}
