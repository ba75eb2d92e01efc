import type { Codec } from '../codec.ts';
import type { PreparedBase } from '../prepare/prepared-base.ts';
import type { RowFiller } from '../row-filler.ts';
import type { RowCells } from '../values/row-cells.ts';
import { ByteSink } from '../write/byte-sink.ts';
import { BaseReader } from './base-reader.ts';
import { type Arrangement, MergedEnding } from './merged-ending.ts';
import { FragmentPlaces, placedBytes } from './place-fragment.ts';
import type { RowFragment } from './row-fragment.ts';

/**
 * All rows in one PDF, with one bookmark per row. It is one large incremental update of the (flattened) base: every row adds a
 * page node with copies of the page dictionaries, which share content, fonts and images with the base, and its own slots and
 * annotations. 10,000 rows of a 4 MB source therefore take 4 MB and the rows' own content.
 */
export class MergedPdf {
  readonly #base: PreparedBase;
  readonly #places: FragmentPlaces;
  readonly #ending: MergedEnding;
  readonly #sink = new ByteSink(1 << 16);
  readonly #row = new ByteSink();

  /** With a sheet, the filler must fill for sheets, too. */
  constructor(base: PreparedBase, arrangement: Arrangement = {}) {
    this.#base = base;
    this.#places = new FragmentPlaces(base.facts.size);
    this.#ending = new MergedEnding(base, new BaseReader(base), arrangement);
  }

  /** The bytes before everything that is added. */
  get base(): Uint8Array {
    return this.#base.bytes;
  }

  /** Draws and adds a row. Returns false if the row failed and has no pages. */
  add(filler: RowFiller, rowNumber: number, cells: RowCells): boolean {
    this.#row.clear();
    const { fragment } = filler.fillInto(this.#row, rowNumber, cells, 'merged');
    if (fragment === undefined) return false;
    this.addFragment(rowNumber, fragment, this.#row.view());
    return true;
  }

  addFragment(rowNumber: number, fragment: RowFragment, bytes: Uint8Array): void {
    const placement = this.#places.place(rowNumber, fragment);
    this.#ending.add(fragment, placement);
    this.#sink.bytes(placedBytes(bytes, fragment, placement));
  }

  /** Number of rows that it contains. */
  get rows(): number {
    return this.#ending.rows;
  }

  get pageCount(): number {
    return this.#ending.pageCount;
  }

  /** Number of the next row's first page, from 1. */
  get nextPage(): number {
    return this.#ending.nextPage;
  }

  /** Bytes that `take` would return. */
  get pendingBytes(): number {
    return this.#sink.length;
  }

  /** The bytes that were written since the last call. */
  take(): Uint8Array {
    const bytes = this.#sink.copy();
    this.#sink.clear();
    return bytes;
  }

  /** The rest of the file. */
  *finish(codec: Pick<Codec, 'sha256Start'>): Generator<Uint8Array> {
    yield this.take();
    yield* this.#ending.chunks(codec);
  }
}
