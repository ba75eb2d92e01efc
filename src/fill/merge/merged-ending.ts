import type { Codec } from '../codec.ts';
import type { PreparedBase } from '../prepare/prepared-base.ts';
import type { Sheet } from '../sheet/sheet.ts';
import { ByteSink } from '../write/byte-sink.ts';
import { ID_DIGITS } from '../write/write-tail.ts';
import type { BaseReader } from './base-reader.ts';
import { BlankPages } from './blank-pages.ts';
import { checkOffset, eachOffset, MergedTooLarge, numberOf, type Placement } from './place-fragment.ts';
import { MAX_OBJECT_NUMBER, type RowFragment } from './row-fragment.ts';
import { type CellSlots, SheetPages } from './sheet-pages.ts';

/** Size at which a part of the ending is yielded. */
const CHUNK_BYTES = 1 << 20;

/** How the documents of a merged PDF are arranged. Without a member, their pages follow each other. */
export interface Arrangement {
  /** Places page 1 of each document on sheets of labels. */
  readonly sheet?: Sheet | undefined;
  /** A document with an odd number of pages is followed by a blank page. Not with `sheet`. */
  readonly duplex?: boolean | undefined;
}

/**
 * What follows the rows of a merged PDF: bookmarks, the page tree, the catalog and the cross-reference table. It needs
 * the offsets of all rows, never their bytes.
 */
export class MergedEnding {
  readonly #base: PreparedBase;
  readonly #reader: BaseReader;
  /** Offsets of the objects from `base.facts.size` on. */
  #offsets = new Float64Array(1024);
  #objects = 0;
  readonly #sheets: SheetPages | undefined;
  readonly #blanks: BlankPages | undefined;
  readonly #titles: string[] = [];
  /** Page nodes, in order. */
  readonly #nodes: number[] = [];
  /** The first page of each row. */
  readonly #firstPages: number[] = [];
  /** Blank pages, by the page node before them. */
  readonly #backs = new Map<number, string>();
  /** On sheets: the slots of each row. */
  readonly #cells: CellSlots[] = [];
  /** Pages of the rows that were added and blank ones, if they are not on sheets. */
  #pages = 0;
  /** Offset of the next row. */
  #at: number;

  constructor(base: PreparedBase, reader: BaseReader, { sheet, duplex }: Arrangement = {}) {
    this.#sheets = sheet && new SheetPages(sheet, base, reader);
    this.#blanks = duplex ? new BlankPages(base, reader) : undefined;
    this.#base = base;
    this.#reader = reader;
    this.#at = base.bytes.length;
  }

  get rows(): number {
    return this.#titles.length;
  }

  /** Pages of the rows that were added, and blank ones after them. */
  get pageCount(): number {
    return this.#sheets?.pageCount(this.rows) ?? this.#pages;
  }

  /** Number of the next row's first page, from 1. */
  get nextPage(): number {
    return 1 + (this.#sheets?.pageOf(this.rows) ?? this.pageCount);
  }

  /** Length of the base and of the rows that were added. */
  get offset(): number {
    return this.#at;
  }

  add(fragment: RowFragment, placement: Placement): void {
    eachOffset(fragment, placement, (_, offset) => this.#enter(this.#at + offset));
    this.#at += placement.length;
    const { node, slots, title } = fragment;
    this.#titles.push(title);
    if (slots !== undefined)
      this.#cells.push(new Map(slots.map(([base, num]) => [base, numberOf(placement, num)])));
    if (node === undefined) return;
    const sourcePages = this.#base.facts.pageNumbers.length;
    const pages = fragment.pages ?? sourcePages;
    const own = numberOf(placement, node);
    this.#pages += pages;
    this.#nodes.push(own);
    this.#firstPages.push(numberOf(placement, node + 1));
    if (this.#blanks === undefined || pages % 2 === 0) return;
    this.#pages += 1;
    this.#backs.set(own, this.#blanks.backOf(fragment.lastPage ?? sourcePages));
  }

  /** Must be called after the last row. */
  *chunks(codec: Pick<Codec, 'sha256Start'>): Generator<Uint8Array> {
    const { facts } = this.#base;
    const sink = new ByteSink(CHUNK_BYTES);
    let flushed = this.#at;
    const object = (num: number, body: string): number => {
      const offset = flushed + sink.length;
      checkOffset(offset);
      sink.ascii(`${num} 0 obj\n${body}\nendobj\n`);
      return offset;
    };
    const flush = (): Uint8Array => {
      const bytes = sink.copy();
      flushed += bytes.length;
      sink.clear();
      return bytes;
    };

    for (const objects of this.#sheetObjects()) {
      for (const body of objects) this.#enter(object(facts.size + this.#objects, body));
      if (sink.length >= CHUNK_BYTES) yield flush();
    }
    const kids: string[] = [];
    for (const node of this.#nodes) {
      kids.push(`${node} 0 R`);
      const back = this.#backs.get(node);
      if (back === undefined) continue;
      const num = facts.size + this.#objects;
      kids.push(`${num} 0 R`);
      this.#enter(object(num, back));
      if (sink.length >= CHUNK_BYTES) yield flush();
    }
    const outlines = facts.size + this.#objects;
    const items = outlines + 1;
    const last = this.rows - 1;
    const ends = last < 0 ? '' : `/First ${items} 0 R/Last ${items + last} 0 R`;
    this.#enter(object(outlines, `<</Type/Outlines${ends}/Count ${last + 1}>>`));
    const titles = codec.sha256Start();
    const encoder = new TextEncoder();
    for (const [index, title] of this.#titles.entries()) {
      titles.update(encoder.encode(index === 0 ? title : `\n${title}`));
      const previous = index === 0 ? '' : `/Prev ${items + index - 1} 0 R`;
      const next = index === last ? '' : `/Next ${items + index + 1} 0 R`;
      const body = `<</Title ${textString(title)}/Parent ${outlines} 0 R/Dest[${this.#firstPages[index]} 0 R/Fit]${previous}${next}>>`;
      this.#enter(object(items + index, body));
      if (sink.length >= CHUNK_BYTES) yield flush();
    }
    const count = this.pageCount;
    const replaced = [
      {
        num: this.#reader.pagesRoot,
        offset: object(this.#reader.pagesRoot, `<</Type/Pages/Count ${count}/Kids[${kids.join(' ')}]>>`),
      },
      {
        num: facts.rootNumber,
        offset: object(
          facts.rootNumber,
          this.#reader.catalogWith(`/Outlines ${outlines} 0 R/PageMode/UseOutlines`),
        ),
      },
    ].sort((a, b) => a.num - b.num);

    const xrefAt = flushed + sink.length;
    sink.ascii('xref\n');
    for (const { num, offset } of replaced) sink.ascii(`${num} 1\n${entry(offset)}`);
    sink.ascii(`${facts.size} ${this.#objects}\n`);
    for (let index = 0; index < this.#objects; index += 1) {
      sink.ascii(entry(this.#offsets[index] ?? 0));
      if (sink.length >= CHUNK_BYTES) yield flush();
    }
    const info = facts.infoNumber === null ? '' : `/Info ${facts.infoNumber} 0 R`;
    const id = titles.digestHex().slice(0, ID_DIGITS);
    sink.ascii(
      `trailer\n<</Size ${facts.size + this.#objects}/Root ${facts.rootNumber} 0 R${info}/Prev ${facts.startXref}` +
        `/ID[<${facts.id}><${id}>]>>\nstartxref\n${xrefAt}\n%%EOF\n`,
    );
    yield flush();
  }

  /** The objects of each sheet. */
  *#sheetObjects(): Generator<readonly string[]> {
    const sheets = this.#sheets;
    if (sheets === undefined) return;
    for (let first = 0; first < this.rows; ) {
      const page = sheets.pageOf(first);
      let end = first + 1;
      while (end < this.rows && sheets.pageOf(end) === page) end += 1;
      const num = this.#base.facts.size + this.#objects;
      this.#nodes.push(num);
      for (let row = first; row < end; row += 1) this.#firstPages.push(num);
      yield sheets.objectsOf(num, first, this.#cells.slice(first, end));
      first = end;
    }
  }

  #enter(offset: number): void {
    checkOffset(offset);
    if (this.#base.facts.size + this.#objects > MAX_OBJECT_NUMBER)
      throw new MergedTooLarge(`${MAX_OBJECT_NUMBER} objects`);
    if (this.#objects === this.#offsets.length) {
      const larger = new Float64Array(this.#objects * 2);
      larger.set(this.#offsets);
      this.#offsets = larger;
    }
    this.#offsets[this.#objects] = offset;
    this.#objects += 1;
  }
}

/** Entries have exactly 20 bytes (ISO 32000-2 §7.5.4). */
function entry(offset: number): string {
  return `${offset.toString().padStart(10, '0')} 00000 n \n`;
}

/** ISO 32000-2 §7.9.2.2: UTF-16 with a byte order mark. */
function textString(text: string): string {
  let digits = 'feff';
  for (let at = 0; at < text.length; at += 1) digits += text.charCodeAt(at).toString(16).padStart(4, '0');
  return `<${digits}>`;
}
