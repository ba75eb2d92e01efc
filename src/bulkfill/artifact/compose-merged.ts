import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Blobs } from '#engine/blobs.ts';
import { BaseReader } from '#fill/merge/base-reader.ts';
import { type Arrangement, MergedEnding } from '#fill/merge/merged-ending.ts';
import { FragmentPlaces } from '#fill/merge/place-fragment.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import type { RowRecord } from '#fill/row-filler.ts';
import type { MergedParts, SliceResult } from '../export-input.ts';
import type { StoredTemplate } from '../templates.ts';
import { type MergedIndex, MergedReader, type MergedSlice } from './merged-reader.ts';

/**
 * Composes the PDF of all rows from the records of the slices: it assigns object numbers and pages, and stores the ending.
 * The rows' bytes stay in the slices' blobs.
 */
export class MergedComposer {
  readonly #template: StoredTemplate;
  readonly #places: FragmentPlaces;
  readonly #ending: MergedEnding;
  readonly #slices: MergedSlice[] = [];

  constructor(template: StoredTemplate, arrangement: Arrangement) {
    const base = { bytes: new Uint8Array(template.base), facts: template.facts };
    this.#template = template;
    this.#places = new FragmentPlaces(template.facts.size);
    this.#ending = new MergedEnding(base, new BaseReader(base), arrangement);
  }

  /** Adds the rows of the next slice. Returns the first page of each record's row, null if it has none. */
  add({ blob, tailsLength, length }: SliceResult, records: readonly RowRecord[]): (number | null)[] {
    const first = this.#places.upcoming;
    const start = this.#ending.offset;
    const pages = records.map(({ result, fragment }) => {
      if (fragment === undefined) return null;
      const page = this.#ending.nextPage;
      this.#ending.add(fragment, this.#places.place(result.row_number, fragment));
      return page;
    });
    const bytes = this.#ending.offset - start;
    this.#slices.push({ blob, recordsAt: tailsLength, end: length, first, bytes });
    return pages;
  }

  /** Pages of the rows that were added, and blank ones after them. */
  get pageCount(): number {
    return this.#ending.pageCount;
  }

  /** Stores the ending. Reads the whole PDF once for its checksums, a window at a time. */
  async finish(blobs: Blobs, accountId: string): Promise<MergedParts> {
    const chunks = this.#ending.chunks(nativeCodec);
    const ending = await blobs.put(accountId, asyncOf(chunks));
    const index: MergedIndex = {
      slices: this.#slices,
      pictures: [...this.#places.pictures].map(([digest, { row, num }]) => [digest, row, num] as const),
      endingLength: ending.size,
    };
    const stored = await blobs.put(accountId, Buffer.from(JSON.stringify(index)));
    const reader = new MergedReader(blobs, this.#template.base, { index, ending: ending.digest });
    const hash = createHash('sha256');
    let checksum = 0;
    for await (const bytes of reader.bytes()) {
      hash.update(bytes);
      checksum = crc32(bytes, checksum);
    }
    return {
      index: stored.digest,
      ending: ending.digest,
      sizeBytes: reader.size,
      crc32: checksum,
      sha256: hash.digest('hex'),
    };
  }
}

async function* asyncOf(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
