import type { PreparedBase } from '../prepare/prepared-base.ts';
import type { RowFiller } from '../row-filler.ts';
import type { RowCells } from '../values/row-cells.ts';
import { ByteSink } from '../write/byte-sink.ts';
import { SharedObjectNumbers } from '../write/tail-object.ts';
import { ID_DIGITS } from '../write/write-tail.ts';
import { MAX_OFFSET, writeXref, type XrefEntry } from '../write/xref-table.ts';
import { BaseReader } from './base-reader.ts';
import { dictionaryOf, entriesOf } from './base-text.ts';
import { findAnnotations } from './page-annotations.ts';
import { hole, instantiate, type RowTemplate, rowTemplate } from './row-template.ts';

/**
 * A base has a classic cross-reference table, whose offsets end at 10 GB. A cross-reference stream after such a table
 * would reach further, but readers disagree on files that mix the two.
 */
export class MergedTooLarge extends Error {
  constructor() {
    super('The merged PDF would be larger than 10 GB. Merge fewer rows at a time.');
  }
}

/**
 * All rows in one PDF, with one bookmark per row. It is one large incremental update of the (flattened) base: every row adds a
 * page node with copies of the page dictionaries, which share content, fonts and images with the base, and its own slots and
 * annotations. 10,000 rows of a 4 MB source therefore take 4 MB and the rows' own content.
 */
export class MergedPdf {
  readonly #base: PreparedBase;
  readonly #reader: BaseReader;
  readonly #pages: readonly RowTemplate[];
  readonly #annotations: readonly RowTemplate[];
  readonly #sink = new ByteSink(1 << 16);
  readonly #entries: XrefEntry[] = [];
  readonly #numbers: SharedObjectNumbers;
  readonly #rows: { readonly node: number; readonly firstPage: number; readonly title: string }[] = [];
  /** Number of bytes that were returned, including the base. */
  #flushed: number;

  constructor(base: PreparedBase) {
    this.#base = base;
    this.#reader = new BaseReader(base);
    this.#numbers = new SharedObjectNumbers(base.facts.size);
    this.#flushed = base.bytes.length;
    const { lists, copies } = findAnnotations(this.#reader, base.facts.pageNumbers);
    this.#annotations = copies;
    this.#pages = base.facts.pageNumbers.map((num, page) =>
      pageTemplate(this.#reader.bodyOf(num), lists.get(page), base),
    );
  }

  /** The bytes before everything that is added. */
  get base(): Uint8Array {
    return this.#base.bytes;
  }

  /** Adds a row. Returns false if the row failed and has no pages. */
  add(filler: RowFiller, rowNumber: number, cells: RowCells): boolean {
    const drawn = filler.draw(cells, this.#numbers);
    if (drawn.error !== null) {
      this.#numbers.dropNoted();
      return false;
    }
    this.#numbers.keepNoted();
    const slotNumbers = new Map<number, number>();
    for (const { slot, content, resources } of drawn.slots) {
      const num = this.#numbers.next();
      slotNumbers.set(slot.num, num);
      this.#begin(num);
      this.#sink.ascii(`${untagged(slot.head)}${resources}/Length ${content.length}>>\nstream\n`);
      this.#sink.bytes(content);
      this.#sink.ascii('\nendstream\nendobj\n');
    }
    for (const { num, body } of drawn.objects) {
      this.#begin(num);
      this.#sink.bytes(body);
      this.#sink.ascii('\nendobj\n');
    }
    const node = this.#numbers.next();
    const kids = this.#pages.map(() => this.#numbers.next());
    const annotations = this.#annotations.map(() => this.#numbers.next());
    const numbers = { parent: node, slots: slotNumbers, pages: kids, annotations };
    kids.forEach((num, page) => {
      this.#object(num, instantiate(this.#pages[page] ?? [], numbers));
    });
    annotations.forEach((num, index) => {
      this.#object(num, instantiate(this.#annotations[index] ?? [], numbers));
    });
    this.#object(
      node,
      `<</Type/Pages/Parent ${this.#reader.pagesRoot} 0 R/Count ${kids.length}/Kids[${kids.map((num) => `${num} 0 R`).join(' ')}]>>`,
    );
    const title = filler.fileName(rowNumber, cells).replace(/\.pdf$/, '');
    this.#rows.push({ node, firstPage: kids[0] ?? 0, title });
    return true;
  }

  /** Bytes that `take` would return. */
  get pendingBytes(): number {
    return this.#sink.length;
  }

  /** The bytes that were written since the last call; valid until the next one. */
  take(): Uint8Array {
    const bytes = this.#sink.copy();
    this.#flushed += bytes.length;
    this.#sink.clear();
    return bytes;
  }

  finish(sha256Hex: (bytes: Uint8Array) => string): Uint8Array {
    const { facts } = this.#base;
    const outlines = this.#numbers.next();
    const items = this.#rows.map(() => this.#numbers.next());
    this.#rows.forEach((row, index) => {
      const link = (key: string, num: number | undefined) => (num === undefined ? '' : `/${key} ${num} 0 R`);
      this.#object(
        items[index] ?? 0,
        `<</Title ${textString(row.title)}/Parent ${outlines} 0 R/Dest[${row.firstPage} 0 R/Fit]` +
          `${link('Prev', items[index - 1])}${link('Next', items[index + 1])}>>`,
      );
    });
    const ends = items.length === 0 ? '' : `/First ${items[0]} 0 R/Last ${items.at(-1)} 0 R`;
    this.#object(outlines, `<</Type/Outlines${ends}/Count ${items.length}>>`);
    const count = this.#rows.length * this.#pages.length;
    const kids = this.#rows.map(({ node }) => `${node} 0 R`).join(' ');
    this.#object(this.#reader.pagesRoot, `<</Type/Pages/Count ${count}/Kids[${kids}]>>`);
    this.#object(
      facts.rootNumber,
      this.#reader.catalogWith(`/Outlines ${outlines} 0 R/PageMode/UseOutlines`),
    );

    const titles = new TextEncoder().encode(this.#rows.map(({ title }) => title).join('\n'));
    const rowId = sha256Hex(titles).slice(0, ID_DIGITS);
    const xrefAt = this.#flushed + this.#sink.length;
    this.#entries.sort((a, b) => a.num - b.num);
    writeXref(this.#sink, this.#entries, false);
    const info = facts.infoNumber === null ? '' : `/Info ${facts.infoNumber} 0 R`;
    this.#sink.ascii(
      `trailer\n<</Size ${this.#numbers.upcoming}/Root ${facts.rootNumber} 0 R${info}/Prev ${facts.startXref}` +
        `/ID[<${facts.id}><${rowId}>]>>\nstartxref\n${xrefAt}\n%%EOF\n`,
    );
    return this.take();
  }

  #object(num: number, body: string): void {
    this.#begin(num);
    this.#sink.ascii(`${body}\nendobj\n`);
  }

  #begin(num: number): void {
    const offset = this.#flushed + this.#sink.length;
    if (offset > MAX_OFFSET) throw new MergedTooLarge();
    this.#entries.push({ num, offset });
    this.#sink.ascii(`${num} 0 obj\n`);
  }
}

/** The page dictionary with a hole for every number that differs between rows. Without `annotations`, rows share those of the base. */
function pageTemplate(body: string, annotations: string | undefined, { facts }: PreparedBase): RowTemplate {
  const entries = entriesOf(body);
  if (entries === null) throw new Error('bug: a page of the base is not a dictionary');
  entries.set('/Parent', hole('parent'));
  // It would claim the same marked content for every copy of the page.
  entries.delete('/StructParents');
  if (annotations !== undefined) entries.set('/Annots', annotations);
  const fieldSlots = facts.forms.fields.flatMap((field) => field.widgets.flatMap(({ slot }) => slot ?? []));
  const slots = new Set([...facts.slots, ...fieldSlots].map((slot) => slot.num));
  return rowTemplate(
    dictionaryOf(entries).replace(/(\/Rp[A-Za-z]+\d*) (\d+) 0 R/g, (found, key: string, number: string) =>
      slots.has(Number(number)) ? `${key} ${hole('slot', Number(number))}` : found,
    ),
  );
}

/** A slot without its key in the structure tree, which a merged file does not have. */
function untagged(head: string): string {
  return head.replace(/\/StructParents \d+/, '');
}

/** ISO 32000-2 §7.9.2.2: UTF-16 with a byte order mark. */
function textString(text: string): string {
  let digits = 'feff';
  for (let at = 0; at < text.length; at += 1) digits += text.charCodeAt(at).toString(16).padStart(4, '0');
  return `<${digits}>`;
}
