import type { PreparedBase } from '../prepare/prepared-base.ts';
import type { BaseReader } from './base-reader.ts';
import { entriesOf } from './base-text.ts';

/** The entries that say how large a page is and how it is turned. */
const SIZE_ENTRIES = ['/MediaBox', '/CropBox', '/BleedBox', '/TrimBox', '/ArtBox', '/Rotate', '/UserUnit'];

/** Writes the blank backs of pages, so that the next document of a merged PDF starts on a new sheet of paper. */
export class BlankPages {
  readonly #reader: BaseReader;
  readonly #pageNumbers: readonly number[];
  /** By the page of the source, from 1. */
  readonly #bodies = new Map<number, string>();

  constructor({ facts }: PreparedBase, reader: BaseReader) {
    this.#reader = reader;
    this.#pageNumbers = facts.pageNumbers;
  }

  /** A page without content that has the size of this page of the source, from 1. */
  backOf(page: number): string {
    const known = this.#bodies.get(page) ?? this.#write(page);
    this.#bodies.set(page, known);
    return known;
  }

  #write(page: number): string {
    const num = this.#pageNumbers[page - 1];
    const entries = num === undefined ? null : entriesOf(this.#reader.bodyOf(num));
    if (entries === null) throw new Error(`bug: the base has no page ${page}`);
    const size = SIZE_ENTRIES.flatMap((key) => {
      const value = entries.get(key);
      return value === undefined ? [] : [`${key} ${value}`];
    });
    return `<</Type/Page/Parent ${this.#reader.pagesRoot} 0 R${size.join('')}/Resources<<>>>>`;
  }
}
