import type { BaseReader } from './base-reader.ts';
import { dictionaryOf, entriesOf, itemsOf, referenceOf } from './base-text.ts';
import { NamedDestinations } from './named-destinations.ts';
import { hole } from './row-template.ts';

/**
 * Limits the work for one file: objects may refer to each other any number of times, so a small file could cause very many
 * reads. Ordinary files stay far below the limit. Beyond it, all further links and annotations stay unchanged.
 */
const MAX_READ_CHARS = 64_000_000;
/** A page, the kind of view and at most four numbers (§12.3.2.2). */
const MAX_DESTINATION_ITEMS = 6;
const MAX_DESTINATION_CHARS = 4096;
/** Actions that follow each other through /Next (§12.6.2). */
const MAX_ACTIONS = 32;

/**
 * Links between pages of the source (ISO 32000-2 §12.5.6.5). In a merged file, each must lead to its own row's copy of the
 * target. A link that cannot be parsed is not treated as an inner link and stays unchanged.
 */
export class LinkFinder {
  readonly #reader: BaseReader;
  readonly #names: NamedDestinations;
  /** The page index of an object, from 0. */
  readonly #pages: ReadonlyMap<number, number>;
  #charsLeft = MAX_READ_CHARS;

  constructor(reader: BaseReader, pageNumbers: readonly number[]) {
    this.#reader = reader;
    this.#names = new NamedDestinations(reader.catalog, (text) => this.#read(text));
    this.#pages = new Map(pageNumbers.map((number, page) => [number, page]));
  }

  /** The items of a page's /Annots. */
  annotationsOf(pageNumber: number): readonly string[] {
    const value = entriesOf(this.#reader.bodyOf(pageNumber))?.get('/Annots');
    return value === undefined ? [] : (itemsOf(this.#read(value)) ?? []);
  }

  /** The entries of an annotation; null if it is not a dictionary, or if the read limit is reached. */
  entriesOf(annotation: string): Map<string, string> | null {
    return entriesOf(this.#read(annotation));
  }

  /** Adds holes to an annotation for the pages that it leads to. Returns false if it leads to none. */
  leadToRow(annotation: Map<string, string>): boolean {
    const destination = this.#destination(annotation.get('/Dest') ?? '');
    const action = this.#action(annotation.get('/A') ?? '', { left: MAX_ACTIONS });
    if (destination !== null) annotation.set('/Dest', destination);
    if (action !== null) annotation.set('/A', action);
    return destination !== null || action !== null;
  }

  /** An action that leads to a page of the source, directly or through a following action; null if none does. */
  #action(action: string, budget: { left: number }): string | null {
    budget.left -= 1;
    if (action === '' || budget.left < 0) return null;
    const entries = entriesOf(this.#read(action));
    if (entries === null) return null;
    const destination = entries.get('/S') === '/GoTo' ? this.#destination(entries.get('/D') ?? '') : null;
    if (destination !== null) {
      entries.set('/D', destination);
      // A position in the structure tree, which readers would prefer.
      entries.delete('/SD');
    }
    const next = this.#nextActions(entries.get('/Next') ?? '', budget);
    if (next !== null) entries.set('/Next', next);
    return destination === null && next === null ? null : dictionaryOf(entries);
  }

  /** One action or an array of them. */
  #nextActions(value: string, budget: { left: number }): string | null {
    const items = itemsOf(this.#read(value));
    if (items === null) return this.#action(value, budget);
    const actions = items.map((item) => this.#action(item, budget));
    if (actions.every((action) => action === null)) return null;
    return `[${actions.map((action, index) => action ?? items[index]).join(' ')}]`;
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

  /** The standard requires a reference. Readers also accept a number, which counts from the first page of the file. */
  #pageOf(target: string): number | null {
    const reference = referenceOf(target);
    if (reference !== null) return this.#pages.get(reference) ?? null;
    return /^\d+$/.test(target) && Number(target) < this.#pages.size ? Number(target) : null;
  }

  /** The target of a reference, or the text itself; empty if it is too long. */
  #read(text: string, most = MAX_READ_CHARS): string {
    const reference = referenceOf(text);
    if (reference === null) return text.length > most ? '' : text;
    const limit = Math.min(most, this.#charsLeft);
    const body = this.#reader.findBody(reference, limit);
    // The search for the end of an object that is too long stopped at the limit.
    this.#charsLeft -= body?.length ?? limit;
    return body ?? '';
  }
}
