import { BaseReader } from '../merge/base-reader.ts';
import { dictionaryOf, entriesOf } from '../merge/base-text.ts';
import type { PreparedBase } from '../prepare/prepared-base.ts';
import type { RowPart, SlotContent } from '../row-filler.ts';
import type { PdfObject } from '../write/tail-object.ts';
import { type DocumentPages, untagged } from './document-pages.ts';

const encoder = new TextEncoder();

/**
 * Entries that a copy of a page does not have: an annotation is on one page only (ISO 32000-2 §12.5.2), and the structure
 * tree and article threads refer to the page itself.
 */
const ONLY_ONCE = ['/Annots', '/StructParents', '/B', '/AA', '/Tabs'] as const;

/** Writes the pages of documents that repeat or leave out pages of the base, as changes of the base. */
export class PageObjects {
  readonly #base: PreparedBase;
  readonly #reader: BaseReader;
  readonly #bodies = new Map<number, ReadonlyMap<string, string>>();

  constructor(base: PreparedBase) {
    this.#base = base;
    this.#reader = new BaseReader(base);
  }

  /** The row with its copies as further slots and objects, numbered from `first`, and with its page tree. */
  addTo(drawn: RowPart, pages: DocumentPages, first: number): RowPart {
    let next = first;
    const slots: SlotContent[] = [];
    const objects: PdfObject[] = [];
    const kids: number[] = [];
    for (const page of pages) {
      if (typeof page === 'number') {
        kids.push(this.#base.facts.pageNumbers[page - 1] ?? 0);
        continue;
      }
      const slot = next;
      const num = next + 1;
      next += 2;
      slots.push({ ...page, slot: { ...page.slot, num: slot, head: untagged(page.slot.head) } });
      const body = copyOf(this.#page(page.page), page.slot.num, slot);
      objects.push({ num, body: encoder.encode(body) });
      kids.push(num);
    }
    const list = kids.map((num) => `${num} 0 R`).join(' ');
    const tree = `<</Type/Pages/Count ${kids.length}/Kids[${list}]>>`;
    objects.push({ num: this.#reader.pagesRoot, body: encoder.encode(tree) });
    return { ...drawn, slots: [...drawn.slots, ...slots], objects: [...drawn.objects, ...objects] };
  }

  #page(page: number): ReadonlyMap<string, string> {
    const known = this.#bodies.get(page);
    if (known !== undefined) return known;
    const entries = entriesOf(this.#reader.bodyOf(this.#base.facts.pageNumbers[page - 1] ?? 0));
    if (entries === null) throw new Error('bug: a page of the base is not a dictionary');
    for (const key of ONLY_ONCE) entries.delete(key);
    this.#bodies.set(page, entries);
    return entries;
  }
}

/** The page with another slot. */
function copyOf(page: ReadonlyMap<string, string>, slot: number, own: number): string {
  return dictionaryOf(page).replace(/(\/Rp[A-Za-z]+\d*) (\d+) 0 R/g, (found, key: string, number: string) =>
    Number(number) === slot ? `${key} ${own} 0 R` : found,
  );
}
