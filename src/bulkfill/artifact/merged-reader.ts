import type { Blobs } from '#engine/blobs.ts';
import {
  FragmentPlaces,
  type PlacedPicture,
  type Placement,
  placedBytes,
} from '#fill/merge/place-fragment.ts';
import type { RowFragment } from '#fill/merge/row-fragment.ts';
import type { RowRecord } from '#fill/row-filler.ts';

/** Where the rows of a merged PDF are. */
export interface MergedIndex {
  readonly slices: readonly MergedSlice[];
  /** The row and the number of each picture, by its digest. */
  readonly pictures: readonly (readonly [digest: string, row: number, num: number])[];
  readonly endingLength: number;
}

export interface MergedSlice {
  readonly blob: string;
  /** The range of the blob with the records. The fragments are before it. */
  readonly recordsAt: number;
  readonly end: number;
  /** The number of the first object of its rows, and the bytes of its rows in the merged PDF. */
  readonly first: number;
  readonly bytes: number;
}

/** A row of the slice that is open: its fragment in the blob and its bytes in the merged PDF. */
interface OpenRow {
  readonly fragment: RowFragment;
  readonly placement: Placement;
  readonly storedAt: number;
  readonly at: number;
}

/** Number of bytes that are placed at once. */
const WINDOW_BYTES = 1024 * 1024;

/**
 * Assembles the PDF of all rows while it is read. Only its ending is stored: the base is that of the template, and the
 * fragments are in the slices' blobs and receive their object numbers here.
 */
export class MergedReader {
  readonly size: number;
  readonly #blobs: Blobs;
  readonly #base: Uint8Array;
  readonly #index: MergedIndex;
  readonly #ending: string;
  readonly #pictures: Map<string, PlacedPicture>;
  #open: { readonly slice: MergedSlice; readonly rows: readonly OpenRow[] } | undefined;
  #window: { readonly start: number; readonly bytes: Uint8Array } = { start: 0, bytes: new Uint8Array() };

  constructor(
    blobs: Blobs,
    base: SharedArrayBuffer,
    { index, ending }: { readonly index: MergedIndex; readonly ending: string },
  ) {
    this.#blobs = blobs;
    this.#base = new Uint8Array(base);
    this.#index = index;
    this.#ending = ending;
    this.#pictures = new Map(index.pictures.map(([digest, row, num]) => [digest, { row, num }]));
    this.size =
      this.#base.length + index.slices.reduce((sum, { bytes }) => sum + bytes, 0) + index.endingLength;
  }

  /** Yields the bytes from `start` to `end` (exclusive). */
  async *bytes(start = 0, end = this.size): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end; ) {
      const bytes = await this.#at(at);
      const chunk = bytes.subarray(0, end - at);
      yield chunk;
      at += chunk.length;
    }
  }

  /** Returns these bytes at once. */
  async read(start: number, end: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.bytes(start, end)) chunks.push(chunk);
    const [only] = chunks;
    return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
  }

  /** Returns bytes from `at` on, at least one. */
  async #at(at: number): Promise<Uint8Array> {
    if (at < this.#base.length) return this.#base.subarray(at);
    const held = this.#window;
    if (at < held.start || at >= held.start + held.bytes.length)
      this.#window = { start: at, bytes: await this.#load(at) };
    return this.#window.bytes.subarray(at - this.#window.start);
  }

  async #load(at: number): Promise<Uint8Array> {
    let start = this.#base.length;
    for (const slice of this.#index.slices) {
      if (at < start + slice.bytes) return this.#rows(slice, at - start);
      start += slice.bytes;
    }
    const from = at - start;
    const until = Math.min(from + WINDOW_BYTES, this.#index.endingLength);
    if (from >= until) throw new Error(`bug: byte ${at} is outside of a merged PDF`);
    return this.#blobs.readAll(this.#ending, { start: from, end: until });
  }

  /** Places rows of a slice, from the one with this byte on. */
  async #rows(slice: MergedSlice, at: number): Promise<Uint8Array> {
    if (this.#open?.slice !== slice) this.#open = { slice, rows: await this.#openRows(slice) };
    const { rows } = this.#open;
    const first = rows.findIndex((row) => at < row.at + row.placement.length);
    let last = first;
    const from = rows[first]?.storedAt ?? 0;
    const endOf = (row: OpenRow) => row.storedAt + row.fragment.length;
    for (let next = rows[last + 1]; next !== undefined; next = rows[last + 1]) {
      if (endOf(next) - from > WINDOW_BYTES) break;
      last += 1;
    }
    const chosen = rows.slice(first, last + 1);
    const final = chosen.at(-1);
    if (final === undefined) throw new Error('bug: a slice of a merged PDF has no such byte');
    const stored = await this.#blobs.readAll(slice.blob, { start: from, end: endOf(final) });
    const placed = chosen.map(({ fragment, placement, storedAt }) =>
      placedBytes(stored.subarray(storedAt - from), fragment, placement),
    );
    return Buffer.concat(placed).subarray(at - (chosen[0]?.at ?? 0));
  }

  async #openRows({ blob, recordsAt, end, first }: MergedSlice): Promise<OpenRow[]> {
    const bytes = await this.#blobs.readAll(blob, { start: recordsAt, end });
    const records = JSON.parse(bytes.toString()) as RowRecord[];
    const places = new FragmentPlaces(first, this.#pictures);
    const rows: OpenRow[] = [];
    let storedAt = 0;
    let at = 0;
    for (const { result, zip, fragment } of records) {
      storedAt += zip?.tailLength ?? 0;
      if (fragment === undefined) continue;
      const placement = places.place(result.row_number, fragment);
      rows.push({ fragment, placement, storedAt, at });
      storedAt += fragment.length;
      at += placement.length;
    }
    return rows;
  }
}
