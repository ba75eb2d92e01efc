import type { BaseReader } from './base-reader.ts';
import { dictionaryOf, entriesOf, itemsOf, referenceOf } from './base-text.ts';
import { NamedDestinations } from './named-destinations.ts';
import { hole, type RowTemplate, rowTemplate } from './row-template.ts';

/**
 * Links from page to page of the source (ISO 32000-2 §12.5.6.5). Copies of a page can share all annotations but these:
 * a link has to lead to its own row's copy of the target. What cannot be understood is no inner link and stays shared.
 */
export interface InnerLinks {
  /** The value of /Annots, with a hole for every link, of the pages (from 0) that have any. */
  readonly annotations: ReadonlyMap<number, string>;
  /** The annotations that go into those holes. */
  readonly links: readonly RowTemplate[];
}

/**
 * Objects refer to each other as often as they like, so a small file could ask for very much reading, and for very
 * many copies in each row. Files that mean well stay far below both limits; hostile ones reached them in 1 to 4 seconds.
 * What was found until then holds, and all further links stay shared.
 */
const MAX_READ_CHARS = 64_000_000;
const MAX_LINKS = 100_000;
/** A page, the kind of view and at most four numbers (§12.3.2.2). */
const MAX_DESTINATION_ITEMS = 6;
const MAX_DESTINATION_CHARS = 4096;

export function findInnerLinks(reader: BaseReader, pageNumbers: readonly number[]): InnerLinks {
  const finder = new LinkFinder(reader, pageNumbers);
  const annotations = new Map<number, string>();
  const links: RowTemplate[] = [];
  for (const [page, number] of pageNumbers.entries()) {
    const before = links.length;
    if (before === MAX_LINKS) break;
    const items = finder.annotationsOf(number).map((annotation) => {
      const link = links.length < MAX_LINKS ? finder.linkOn(page, annotation) : null;
      if (link === null) return annotation;
      links.push(rowTemplate(link));
      return hole('link', links.length - 1);
    });
    if (links.length > before) annotations.set(page, `[${items.join(' ')}]`);
  }
  return { annotations, links };
}

class LinkFinder {
  readonly #reader: BaseReader;
  readonly #names: NamedDestinations;
  /** Which page an object is, from 0. */
  readonly #pages: ReadonlyMap<number, number>;
  #charsLeft = MAX_READ_CHARS;

  constructor(reader: BaseReader, pageNumbers: readonly number[]) {
    this.#reader = reader;
    this.#names = new NamedDestinations(reader.catalog, (text) => this.#read(text));
    this.#pages = new Map(pageNumbers.map((number, page) => [number, page]));
  }

  annotationsOf(pageNumber: number): readonly string[] {
    const value = entriesOf(this.#reader.bodyOf(pageNumber))?.get('/Annots');
    return value === undefined ? [] : (itemsOf(this.#read(value)) ?? []);
  }

  /** The annotation with holes for the pages it names; null when it is no link inside the document. */
  linkOn(page: number, annotation: string): string | null {
    const entries = entriesOf(this.#read(annotation));
    if (entries?.get('/Subtype') !== '/Link') return null;
    const destination = this.#destination(entries.get('/Dest') ?? '');
    const action = this.#goTo(entries.get('/A') ?? '');
    if (destination === null && action === null) return null;
    if (destination !== null) entries.set('/Dest', destination);
    if (action !== null) entries.set('/A', action);
    if (entries.has('/P')) entries.set('/P', hole('page', page));
    // The structure tree, where this number would be looked up, is not carried over.
    entries.delete('/StructParent');
    return dictionaryOf(entries);
  }

  #goTo(action: string): string | null {
    const entries = entriesOf(this.#read(action));
    if (entries?.get('/S') !== '/GoTo') return null;
    const destination = this.#destination(entries.get('/D') ?? '');
    if (destination === null) return null;
    entries.set('/D', destination);
    // A place in the structure tree, which readers would prefer.
    entries.delete('/SD');
    return dictionaryOf(entries);
  }

  /** An explicit destination with a hole for the page. */
  #destination(value: string): string | null {
    let text = this.#read(value, MAX_DESTINATION_CHARS);
    if (/^(\/|<[^<])/.test(text)) text = this.#read(this.#names.find(text) ?? '', MAX_DESTINATION_CHARS);
    const wrapped = entriesOf(text)?.get('/D');
    const items = itemsOf(wrapped === undefined ? text : this.#read(wrapped, MAX_DESTINATION_CHARS));
    if (items === null || items.length > MAX_DESTINATION_ITEMS) return null;
    const [target = '', ...view] = items;
    const page = this.#pageOf(target);
    if (page === null || view.some((item) => /^[[<]/.test(item))) return null;
    return `[${[hole('page', page), ...view].join(' ')}]`;
  }

  /** By the standard a reference; readers also take a number, which counts from the first page of the file. */
  #pageOf(target: string): number | null {
    const reference = referenceOf(target);
    if (reference !== null) return this.#pages.get(reference) ?? null;
    return /^\d+$/.test(target) && Number(target) < this.#pages.size ? Number(target) : null;
  }

  /** What a reference leads to, or the text itself; nothing when that is too long. */
  #read(text: string, most = MAX_READ_CHARS): string {
    const reference = referenceOf(text);
    if (reference === null) return text.length > most ? '' : text;
    const limit = Math.min(most, this.#charsLeft);
    const body = this.#reader.findBody(reference, limit);
    // An object that is too long was searched for its end as far as the limit.
    this.#charsLeft -= body?.length ?? limit;
    return body ?? '';
  }
}
