import type { Blobs } from '#engine/blobs.ts';
import { linesOf } from '#lib/records/lines.ts';
import type { Slice } from '#lib/records/slice.ts';
import { normalisedRow } from '#lib/rows/rows-digest.ts';
import type { ExportInput } from '../export-input.ts';
import { RowLines } from '../rows/row-lines.ts';

/** A row that replaces a failed one. */
export interface PatchedRow {
  readonly row_number: number;
  readonly cells: Readonly<Record<string, string | null>>;
}

/**
 * The selected rows of an earlier job, in their normal form and order, with the replacement rows. Reads only the slices
 * of the row file that contain a selected row.
 */
export class RetryRows {
  readonly #blobs: Blobs;
  readonly #rows: ExportInput['rows'];
  readonly #chosen: readonly number[];
  readonly #patches: ReadonlyMap<number, string>;
  readonly #lines: RowLines;

  constructor(
    blobs: Blobs,
    rows: ExportInput['rows'],
    chosen: readonly number[],
    patches: readonly PatchedRow[],
    sliceRows?: number,
  ) {
    this.#lines = new RowLines(sliceRows);
    this.#blobs = blobs;
    this.#rows = rows;
    this.#chosen = chosen;
    this.#patches = new Map(patches.map(({ row_number, cells }) => [row_number, lineOf(cells)]));
  }

  /** Must be read to the end before `slices` is called. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    let next = 0;
    for (const slice of this.#rows.slices) {
      const end = slice.firstRow + slice.rows;
      const from = next;
      while ((this.#chosen[next] ?? end) < end) next += 1;
      if (next === from) continue;
      const bytes = await this.#blobs.readAll(this.#rows.blob, { start: slice.start, end: slice.end });
      const lines = Array.from(linesOf(bytes), (line) => decoder.decode(line));
      const chosen = this.#chosen.slice(from, next);
      const text = chosen.map((row) => this.#patches.get(row) ?? lines[row - slice.firstRow] ?? '{}');
      yield this.#lines.encode(text);
    }
  }

  slices(): readonly Slice[] {
    return this.#lines.slices();
  }
}

const decoder = new TextDecoder();

/** The normal form of a replacement row. */
export function lineOf(cells: PatchedRow['cells']): string {
  const filled = Object.entries(cells).filter((cell): cell is [string, string] => Boolean(cell[1]));
  return normalisedRow(new Map(filled));
}
