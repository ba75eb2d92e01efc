import type { Blobs } from '#engine/blobs.ts';
import { normalisedRow } from '#lib/rows/rows-digest.ts';
import type { ExportInput } from '../export-input.ts';
import { type RowSlice, SliceCutter } from '../rows/normalise-rows.ts';

const LINE_END = 10;

/** A row to be sent instead of the one that failed. */
export interface PatchedRow {
  readonly row_number: number;
  readonly cells: Readonly<Record<string, string | null>>;
}

/**
 * The chosen rows of an earlier job, in their normal form and in order, with patched ones in their place. Reads only
 * the stretches of the row file that hold a chosen row.
 */
export class RetryRows {
  readonly #blobs: Blobs;
  readonly #rows: ExportInput['rows'];
  readonly #chosen: readonly number[];
  readonly #patches: ReadonlyMap<number, string>;
  readonly #cutter: SliceCutter;

  constructor(
    blobs: Blobs,
    rows: ExportInput['rows'],
    chosen: readonly number[],
    patches: readonly PatchedRow[],
    sliceRows?: number,
  ) {
    this.#cutter = new SliceCutter(sliceRows);
    this.#blobs = blobs;
    this.#rows = rows;
    this.#chosen = chosen;
    this.#patches = new Map(patches.map(({ row_number, cells }) => [row_number, lineOf(cells)]));
  }

  /** To be read to the end before `slices`. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    let next = 0;
    for (const slice of this.#rows.slices) {
      const end = slice.firstRow + slice.rows;
      const from = next;
      while ((this.#chosen[next] ?? end) < end) next += 1;
      if (next === from) continue;
      const lines = splitLines(
        await this.#blobs.readAll(this.#rows.blob, { start: slice.start, end: slice.end }),
      );
      const chosen = this.#chosen.slice(from, next);
      const text = chosen.map((row) => this.#patches.get(row) ?? lines[row - slice.firstRow] ?? '{}');
      yield Buffer.from(this.#cutter.lines(text));
    }
  }

  slices(): readonly RowSlice[] {
    return this.#cutter.end();
  }
}

function splitLines(bytes: Buffer): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
    lines.push(bytes.toString('utf8', start, end));
    start = end + 1;
  }
  return lines;
}

function lineOf(cells: PatchedRow['cells']): string {
  const filled = Object.entries(cells).filter((cell): cell is [string, string] => Boolean(cell[1]));
  return normalisedRow(new Map(filled));
}
