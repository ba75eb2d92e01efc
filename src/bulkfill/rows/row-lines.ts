import { LineSplitter } from '#lib/records/lines.ts';
import { type Slice, SliceCutter } from '#lib/records/slice.ts';
import { Slicer } from '#lib/records/slicer.ts';

/** About an eighth of a second of plain rows: a killed worker loses little. */
const SLICE_ROWS = 1_000;
/** A row with photographs takes a hundred times as long. */
export const PICTURE_SLICE_ROWS = 100;
/** Rows with large cells are slow, so their slices are limited by size. */
const SLICE_BYTES = 4_000_000;

/** Cuts groups in their normal form (fill/node/groups) into slices. A group is never split. */
export class GroupSlices {
  readonly #cutter: SliceCutter;
  #at = 0;

  constructor(maxGroups = SLICE_ROWS) {
    this.#cutter = new SliceCutter({ maxRows: maxGroups, maxBytes: SLICE_BYTES });
  }

  /** Adds the next group, which has this many bytes. */
  add(bytes: number): void {
    this.#cutter.add(this.#at, this.#at + bytes);
    this.#at += bytes;
  }

  /** Must be called after the last group. */
  slices(): readonly Slice[] {
    this.#cutter.cut();
    return this.#cutter.take();
  }
}

/** Encodes rows in their normal form (lib/rows/rows-digest.ts) as NDJSON, and cuts it into slices. */
export class RowLines {
  readonly #slicer: Slicer;
  readonly #slices: Slice[] = [];

  constructor(sliceRows = SLICE_ROWS) {
    const limits = { maxRows: sliceRows, maxBytes: SLICE_BYTES };
    this.#slicer = new Slicer(limits, (found) => new LineSplitter((start, end) => found(start, end)));
  }

  get count(): number {
    return this.#slicer.rows;
  }

  encode(rows: readonly string[]): Buffer {
    let text = '';
    for (const row of rows) text += `${row}\n`;
    const bytes = Buffer.from(text);
    this.#slices.push(...this.#slicer.push(bytes));
    return bytes;
  }

  /** Must be called after the last row. */
  slices(): readonly Slice[] {
    this.#slices.push(...this.#slicer.end());
    return this.#slices;
  }
}
