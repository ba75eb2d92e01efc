import { type DocumentPages, untagged } from '../pages/document-pages.ts';
import type { PreparedBase } from '../prepare/prepared-base.ts';
import type { RowPart } from '../row-filler.ts';
import type { ByteSink } from '../write/byte-sink.ts';
import { ObjectNumbers } from '../write/tail-object.ts';
import { BaseReader } from './base-reader.ts';
import { dictionaryOf, entriesOf } from './base-text.ts';
import { findAnnotations } from './page-annotations.ts';
import { hole, instantiate, type RowTemplate, rowTemplate } from './row-template.ts';

/**
 * The objects of one row in a merged PDF. Every number of an own object is written in a field of fixed width and counts from 0, so
 * the bytes depend on the row alone. `placeFragment` writes the final numbers into the fields when the earlier rows are known.
 */
export interface RowFragment {
  readonly length: number;
  /** The row's bookmark. */
  readonly title: string;
  /** Position of the field in the header of each object, by its number. */
  readonly objects: readonly number[];
  /** Positions of the fields of references. */
  readonly references: readonly number[];
  /** Number of the row's page node, and its first page has the next number; absent on sheets. */
  readonly node?: number;
  /** Number of the row's pages, if it is not that of the source. */
  readonly pages?: number;
  /** The page of the source (from 1) that the row's last page is or repeats, if it is not the last one. */
  readonly lastPage?: number;
  /** On sheets: the slots of page 1, each with its number in the base and in the fragment. */
  readonly slots?: readonly (readonly [base: number, num: number])[];
  /** Pictures, which later rows with the same picture refer to. */
  readonly pictures?: readonly FragmentPicture[];
}

export interface FragmentPicture {
  readonly digest: string;
  /** Number of the picture; its mask and its profile have the following ones. */
  readonly num: number;
  readonly count: number;
  /** The bytes of these objects. */
  readonly start: number;
  readonly end: number;
}

/** Readers accept at most 8,388,607 objects (ISO 32000-1, annex C), which have seven digits. */
export const FIELD_WIDTH = 7;
export const MAX_OBJECT_NUMBER = 8_388_607;

/** The numbers of a row's objects. It records which of them are pictures. */
export class NotingNumbers extends ObjectNumbers {
  readonly pictures: { readonly digest: string; readonly num: number; readonly count: number }[] = [];

  override note(digest: string, num: number): void {
    this.pictures.push({ digest, num, count: this.upcoming - num });
  }
}

/** A reference to any object, or a literal string, which may contain the same characters. */
const REFERENCE = /\((?:\\.|[^\\()])*\)|(?<![\w.+-])(\d+) 0 R(?![A-Za-z])/g;

/** Writes the fragments of rows that share a (flattened) base. */
export class FragmentWriter {
  readonly #size: number;
  readonly #pages: readonly RowTemplate[];
  readonly #annotations: readonly RowTemplate[];
  /** Copies of pages, by index; they have no annotations. */
  readonly #copies = new Map<number, RowTemplate>();
  readonly #templateOfCopy: (page: number) => RowTemplate;
  readonly #pagesRoot: number;
  readonly #isForSheets: boolean;
  #sink!: ByteSink;
  #start = 0;
  #objects: number[] = [];
  #references: number[] = [];

  /** `isForSheets`: rows have slots on page 1 and no pages of their own. */
  constructor(base: PreparedBase, isForSheets = false) {
    const reader = new BaseReader(base);
    this.#size = base.facts.size;
    this.#isForSheets = isForSheets;
    this.#pagesRoot = reader.pagesRoot;
    const { lists, copies } = findAnnotations(reader, base.facts.pageNumbers);
    this.#annotations = copies;
    this.#pages = base.facts.pageNumbers.map((num, page) =>
      pageTemplate(reader.bodyOf(num), lists.get(page), base),
    );
    this.#templateOfCopy = (page) =>
      pageTemplate(reader.bodyOf(base.facts.pageNumbers[page] ?? 0), null, base);
  }

  /** Appends a drawn row to `sink`. `numbers` are those that it was drawn with. */
  write(sink: ByteSink, drawn: RowPart, numbers: NotingNumbers, title: string): RowFragment {
    this.#sink = sink;
    this.#start = sink.length;
    this.#objects = [];
    this.#references = [];
    const ranges = this.#drawnObjects(drawn);
    const slots = new Map<number, number>();
    for (const drawing of drawn.slots) {
      const { slot } = drawing;
      if (this.#isForSheets && slot.page !== 1) continue;
      slots.set(slot.num, this.#slot(drawing, numbers));
    }
    const parts = this.#isForSheets
      ? { slots: [...slots].map(([base, num]) => [base, num - this.#size] as const) }
      : {
          node: this.#pagesOf(drawn.pages ?? this.#pages.map((_, index) => index + 1), slots, numbers),
          ...(drawn.pages !== undefined && { pages: drawn.pages.length, ...this.#lastPage(drawn.pages) }),
        };
    const pictures = numbers.pictures.map(({ digest, num, count }) => {
      const ends = Array.from({ length: count }, (_, part) => ranges.get(num + part) ?? missing());
      const start = Math.min(...ends.map((part) => part.start));
      const end = Math.max(...ends.map((part) => part.end));
      return { digest, num: num - this.#size, count, start, end };
    });
    return {
      length: sink.length - this.#start,
      title,
      objects: this.#objects,
      references: this.#references,
      ...parts,
      ...(pictures.length > 0 && { pictures }),
    };
  }

  /** Writes what a row draws on a page. Returns its number. */
  #slot({ slot, content, resources }: RowPart['slots'][number], numbers: NotingNumbers): number {
    const num = numbers.next();
    this.#begin(num);
    this.#text(`${untagged(slot.head)}${resources}/Length ${content.length}>>\nstream\n`);
    this.#sink.bytes(content);
    this.#sink.ascii('\nendstream\nendobj\n');
    return num;
  }

  /** Writes the row's pages and annotations. Returns the number of their node. */
  #pagesOf(listed: DocumentPages, slots: ReadonlyMap<number, number>, numbers: NotingNumbers): number {
    const copies = new Map(
      listed.flatMap((page) =>
        typeof page === 'number' ? [] : [[page, this.#slot(page, numbers)] as const],
      ),
    );
    const node = numbers.next();
    const kids = listed.map(() => numbers.next());
    const annotations = this.#annotations.map(() => numbers.next());
    // A link to a page that the document does not have leads to its first page.
    const pages = this.#pages.map((_, index) => kids[Math.max(0, listed.indexOf(index + 1))] ?? 0);
    const own = { parent: node, slots, pages, annotations };
    const list = kids.map((num) => `${num} 0 R`).join(' ');
    this.#object(node, `<</Type/Pages/Parent ${this.#pagesRoot} 0 R/Count ${kids.length}/Kids[${list}]>>`);
    for (const [index, num] of kids.entries()) {
      const page = listed[index] ?? 0;
      if (typeof page === 'number') this.#object(num, instantiate(this.#pages[page - 1] ?? [], own));
      else {
        const copied = new Map(slots).set(page.slot.num, copies.get(page) ?? 0);
        this.#object(num, instantiate(this.#copyTemplate(page.page - 1), { ...own, slots: copied }));
      }
    }
    for (const [index, num] of annotations.entries())
      this.#object(num, instantiate(this.#annotations[index] ?? [], own));
    return node - this.#size;
  }

  #lastPage(listed: DocumentPages): Pick<RowFragment, 'lastPage'> {
    const last = listed.at(-1);
    const page = typeof last === 'object' ? last.page : last;
    return page === undefined || page === this.#pages.length ? {} : { lastPage: page };
  }

  #copyTemplate(page: number): RowTemplate {
    const known = this.#copies.get(page) ?? this.#templateOfCopy(page);
    this.#copies.set(page, known);
    return known;
  }

  /** Returns the bytes of each object, by its number. */
  #drawnObjects({ objects }: RowPart): ReadonlyMap<number, { start: number; end: number }> {
    const ranges = new Map<number, { start: number; end: number }>();
    for (const { num, body } of objects) {
      const start = this.#sink.length - this.#start;
      this.#begin(num);
      const dictionary = dictionaryLength(body);
      this.#text(latin1(body.subarray(0, dictionary)));
      this.#sink.bytes(body.subarray(dictionary));
      this.#sink.ascii('\nendobj\n');
      ranges.set(num, { start, end: this.#sink.length - this.#start });
    }
    return ranges;
  }

  #object(num: number, body: string): void {
    this.#begin(num);
    this.#text(body);
    this.#sink.ascii('\nendobj\n');
  }

  #begin(num: number): void {
    if (num < this.#size) throw new Error('bug: a row of a merged PDF replaces an object of the base');
    this.#objects[num - this.#size] = this.#sink.length - this.#start;
    this.#sink.ascii(`${field(num - this.#size)} 0 obj\n`);
  }

  /** Writes PDF syntax without a stream. References to the row's own objects become fields. */
  #text(text: string): void {
    const sink = this.#sink;
    let from = 0;
    for (const match of text.matchAll(REFERENCE)) {
      const digits = match[1];
      if (digits === undefined || Number(digits) < this.#size) continue;
      sink.ascii(text.slice(from, match.index));
      this.#references.push(sink.length - this.#start);
      sink.ascii(field(Number(digits) - this.#size));
      from = match.index + digits.length;
    }
    sink.ascii(from === 0 ? text : text.slice(from));
  }
}

function missing(): never {
  throw new Error('bug: a part of a picture is missing');
}

function field(num: number): string {
  return num.toString().padStart(FIELD_WIDTH);
}

const STREAM = [0x3e, 0x3e, 0x0a, 0x73, 0x74, 0x72, 0x65, 0x61, 0x6d, 0x0a] as const; // >>\nstream\n

/** The length of an object up to the data of its stream. */
function dictionaryLength(body: Uint8Array): number {
  for (let at = body.indexOf(STREAM[0]); at !== -1; at = body.indexOf(STREAM[0], at + 1))
    if (STREAM.every((code, index) => body[at + index] === code)) return at + STREAM.length;
  return body.length;
}

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/**
 * The page dictionary with a hole for every number that differs between rows. Without `annotations`, rows share those of the
 * base; with null, the page has none.
 */
function pageTemplate(
  body: string,
  annotations: string | null | undefined,
  { facts }: PreparedBase,
): RowTemplate {
  const entries = entriesOf(body);
  if (entries === null) throw new Error('bug: a page of the base is not a dictionary');
  entries.set('/Parent', hole('parent'));
  // It would claim the same marked content for every copy of the page.
  entries.delete('/StructParents');
  if (annotations === null) entries.delete('/Annots');
  else if (annotations !== undefined) entries.set('/Annots', annotations);
  const fieldSlots = facts.forms.fields.flatMap((item) => item.widgets.flatMap(({ slot }) => slot ?? []));
  const slots = new Set([...facts.slots, ...fieldSlots].map((slot) => slot.num));
  return rowTemplate(
    dictionaryOf(entries).replace(/(\/Rp[A-Za-z]+\d*) (\d+) 0 R/g, (found, key: string, number: string) =>
      slots.has(Number(number)) ? `${key} ${hole('slot', Number(number))}` : found,
    ),
  );
}
