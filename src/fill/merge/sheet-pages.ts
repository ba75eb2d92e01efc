import { pageGeometry } from '../prepare/page-geometry.ts';
import type { PreparedBase } from '../prepare/prepared-base.ts';
import { fitOf, placeOf, type Sheet } from '../sheet/sheet.ts';
import { exactPdfNumber, pdfNumber } from '../write/pdf-number.ts';
import type { BaseReader } from './base-reader.ts';
import { dictionaryOf, entriesOf, itemsOf } from './base-text.ts';

/** Crop marks begin outside of the labels and are this long, or as long as the margin allows. */
const MARK_GAP = 2;
const MARK_LENGTH = 10;

/** A row on a sheet: the numbers of its slots in the merged PDF, by their numbers in the base. */
export type CellSlots = ReadonlyMap<number, number>;

/**
 * Writes sheets of labels. Each label shows page 1 with one row's slots. All labels refer to the content streams of the base, so
 * a label adds only a short stream, which places the page and paints the slots.
 */
export class SheetPages {
  readonly #sheet: Sheet;
  readonly #page: ReadonlyMap<string, string>;
  readonly #resources: ReadonlyMap<string, string>;
  readonly #pictures: ReadonlyMap<string, string>;
  readonly #pagesRoot: number;
  /** References to the streams that every label shows. */
  readonly #content: string;
  /** What follows them: it restores the state and paints the slots. */
  readonly #closing: string;
  readonly #prefix: string;
  readonly #toLabel: (index: number) => string;

  constructor(sheet: Sheet, { facts }: PreparedBase, reader: BaseReader) {
    const [num] = facts.pageNumbers;
    const [displayed] = facts.pages;
    const page = num === undefined ? null : entriesOf(reader.bodyOf(num));
    if (page === null || displayed === undefined) throw new Error('bug: the base has no page');
    this.#sheet = sheet;
    this.#page = page;
    this.#pagesRoot = reader.pagesRoot;
    const read = (value: string | undefined) => reader.entriesAt(value) ?? new Map<string, string>();
    this.#resources = read(page.get('/Resources'));
    this.#pictures = read(this.#resources.get('/XObject'));
    const contents = page.get('/Contents') ?? '[]';
    const streams = itemsOf(contents) ?? itemsOf(reader.textAt(contents) ?? '') ?? [contents];
    const closing = streams.length > 1 ? reader.plainStreamAt(streams.at(-1)) : null;
    this.#content = (closing === null ? streams : streams.slice(0, -1)).join(' ');
    this.#closing = closing ?? '';
    let prefix = '/RpLabel';
    while ([...this.#pictures.keys()].some((name) => name.startsWith(prefix))) prefix += 'x';
    this.#prefix = prefix;
    const { scale, x, y } = fitOf(sheet, displayed);
    const size = `0 0 ${pdfNumber(displayed.width)} ${pdfNumber(displayed.height)} re W n`;
    const turned = toDisplayed(page);
    this.#toLabel = (index) => {
      const place = placeOf(sheet, index);
      const at = `${exactPdfNumber(scale)} 0 0 ${exactPdfNumber(scale)} ${pdfNumber(place.x + x)} ${pdfNumber(place.y + y)} cm`;
      return `q ${at} ${size}${turned}\n`;
    };
  }

  /** Pages for this many rows. */
  pageCount(rows: number): number {
    return rows === 0 ? 0 : this.pageOf(rows - 1) + 1;
  }

  /** The sheet of a row, from 0. */
  pageOf(index: number): number {
    return placeOf(this.#sheet, index).page;
  }

  /** The page object and the streams of a sheet with these rows. They have consecutive numbers; the page comes first. */
  objectsOf(num: number, first: number, rows: readonly CellSlots[]): string[] {
    const pictures = new Map(this.#pictures);
    const streams: string[] = [];
    let text = this.#sheet.marks ? cropMarks(this.#sheet) : '';
    for (const [cell, slots] of rows.entries()) {
      streams.push(text + this.#toLabel(first + cell));
      text = `${this.#painted(cell, slots, pictures)}\nQ\n`;
    }
    streams.push(text);
    const separate = this.#content === '' ? ' ' : ` ${this.#content} `;
    const contents = streams.map((_, index) => `${num + 1 + index} 0 R`).join(separate);
    const resources = new Map(this.#resources);
    if (pictures.size > 0) resources.set('/XObject', dictionaryOf(pictures));
    const { width, height } = this.#sheet;
    const group = this.#page.get('/Group');
    return [
      `<</Type/Page/Parent ${this.#pagesRoot} 0 R/MediaBox[0 0 ${pdfNumber(width)} ${pdfNumber(height)}]` +
        `/Resources ${dictionaryOf(resources)}/Contents[${contents}]${group === undefined ? '' : `/Group ${group}`}>>`,
      ...streams.map((stream) => `<</Length ${stream.length}>>\nstream\n${stream}\nendstream`),
    ];
  }

  /** Paints the row's slots instead of the empty ones of the base, under names of its own. */
  #painted(cell: number, slots: CellSlots, pictures: Map<string, string>): string {
    return this.#closing.replace(/(\/Rp[A-Za-z]+\d*) Do\b/g, (found, name: string) => {
      const base = /^(\d+) 0 R$/.exec(this.#pictures.get(name) ?? '')?.[1];
      const num = base === undefined ? undefined : slots.get(Number(base));
      if (num === undefined) return found;
      const own = `${this.#prefix}${cell}n${base}`;
      pictures.set(own, `${num} 0 R`);
      return `${own} Do`;
    });
  }
}

/** Maps default user space to displayed points: the inverse of `slotMatrix`. */
function toDisplayed(page: ReadonlyMap<string, string>): string {
  const numbers = (key: string) => itemsOf(page.get(key) ?? '')?.map(Number) ?? null;
  const number = (key: string, otherwise: number) => Number(page.get(key) ?? otherwise);
  const { box, rotation, userUnit } = pageGeometry(
    numbers('/MediaBox'),
    numbers('/CropBox'),
    number('/Rotate', 0),
    number('/UserUnit', 1),
  );
  const [left, bottom, right, top] = box;
  const matrix = {
    0: [1, 0, 0, 1, -left, -bottom],
    90: [0, -1, 1, 0, -bottom, right],
    180: [-1, 0, 0, -1, right, top],
    270: [0, 1, -1, 0, top, -left],
  }[rotation].map((value) => exactPdfNumber(value * userUnit));
  const text = matrix.join(' ');
  return text === '1 0 0 1 0 0' ? '' : ` ${text} cm`;
}

/** Lines in the margins at every edge of the labels, so that none is printed on a label. */
function cropMarks(sheet: Sheet): string {
  const left = sheet.margin_left;
  const top = sheet.height - sheet.margin_top;
  const right = left + (sheet.columns - 1) * sheet.pitch_x + sheet.label_width;
  const bottom = top - (sheet.rows - 1) * sheet.pitch_y - sheet.label_height;
  const edges = (count: number, from: number, pitch: number, size: number) =>
    new Set(
      Array.from({ length: count }, (_, at) => [from + at * pitch, from + at * pitch + size])
        .flat()
        .map(pdfNumber),
    );
  const lines: string[] = [];
  const outwards = (from: number, to: number, end: number, draw: (a: string, b: string) => void) => {
    const limit = Math.sign(to - from) * (end - to) > 0 ? to : end;
    if (Math.abs(limit - from) > MARK_GAP)
      draw(pdfNumber(from + Math.sign(to - from) * MARK_GAP), pdfNumber(limit));
  };
  const reach = MARK_GAP + MARK_LENGTH;
  for (const x of edges(sheet.columns, left, sheet.pitch_x, sheet.label_width)) {
    const draw = (a: string, b: string) => lines.push(`${x} ${a} m ${x} ${b} l S`);
    outwards(top, top + reach, sheet.height, draw);
    outwards(bottom, bottom - reach, 0, draw);
  }
  for (const y of edges(sheet.rows, bottom, sheet.pitch_y, sheet.label_height)) {
    const draw = (a: string, b: string) => lines.push(`${a} ${y} m ${b} ${y} l S`);
    outwards(left, left - reach, 0, draw);
    outwards(right, right + reach, sheet.width, draw);
  }
  return lines.length === 0 ? '' : `q 0 G .25 w\n${lines.join('\n')}\nQ\n`;
}
