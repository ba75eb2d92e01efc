import { cellColumn, rowIndex } from './cell-address.ts';
import { GENERAL } from './cell-format.ts';
import { type CellWriter, cellWriter, type SheetCell } from './cell-text.ts';
import type { CellValues } from './cell-values.ts';
import { isoDay } from './iso-day.ts';
import { MergedRanges } from './merged-ranges.ts';
import { type OpenWorkbook, openWorkbook } from './open-workbook.ts';
import { readXml } from './read-xml.ts';
import { StringText, unescaped } from './string-text.ts';

/** Receives the cells of one row, from column A to the last one that is not blank; a blank cell is ''. */
export type OnRow = (cells: readonly SheetCell[]) => void;

/**
 * Reads the first visible sheet of an XLSX workbook (ECMA-376) row by row, on the server and in the browser. Blank rows between
 * rows are rows; blank rows at the end are not. The result depends on the bytes alone, not on locale, time zone or clock.
 */
export function readFirstSheet(
  workbook: Uint8Array,
  values: CellValues,
  onRow: OnRow,
  maxSheetBytes = Number.POSITIVE_INFINITY,
): void {
  const book = openWorkbook(workbook, maxSheetBytes);
  const sheet = new SheetReader(book, cellWriter(values), onRow);
  readXml(book.sheet, sheet);
}

class SheetReader {
  readonly #book: OpenWorkbook;
  readonly #writer: CellWriter;
  readonly #onRow: OnRow;
  readonly #merged: MergedRanges;
  readonly #string = new StringText();
  #row = -1;
  #lastFilled = -1;
  #cells: SheetCell[] = [];
  #column = -1;
  #type = 'n';
  #style = 0;
  #value = '';
  #inValue = false;
  #hasFormula = false;

  constructor(book: OpenWorkbook, writer: CellWriter, onRow: OnRow) {
    this.#book = book;
    this.#writer = writer;
    this.#onRow = onRow;
    this.#merged = new MergedRanges(book.sheet);
  }

  readonly open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (name === 'row') {
      this.#row = rowIndex(attributes.r, this.#row);
      this.#cells = [];
      this.#column = -1;
    } else if (name === 'c') {
      this.#column = cellColumn(attributes.r, this.#column + 1);
      this.#type = attributes.t ?? 'n';
      this.#style = Number(attributes.s ?? 0);
      this.#value = '';
      this.#hasFormula = false;
    } else if (name === 'v') this.#inValue = true;
    else if (name === 'f') this.#hasFormula = true;
    else if (this.#type === 'inlineStr') this.#string.open(name);
  };

  readonly text = (text: string): void => {
    if (this.#inValue) this.#value += text;
    else if (this.#type === 'inlineStr') this.#string.add(text);
  };

  readonly close = (name: string): void => {
    if (name === 'v') this.#inValue = false;
    else if (name === 'c') this.#endCell();
    else if (name === 'row') this.#endRow();
    else if (this.#type === 'inlineStr') this.#string.close(name);
  };

  #endCell(): void {
    const cell = this.#cell();
    this.#type = 'n';
    if (cell === '' || this.#merged.covers(this.#row, this.#column)) return;
    while (this.#cells.length < this.#column) this.#cells.push('');
    this.#cells[this.#column] = cell;
  }

  #endRow(): void {
    if (this.#cells.every((cell) => cell !== null && cell.trim() === '')) return;
    for (let blank = this.#lastFilled + 1; blank < this.#row; blank += 1) this.#onRow([]);
    this.#lastFilled = this.#row;
    this.#onRow(this.#cells);
  }

  #cell(): SheetCell {
    const format = this.#book.formats[this.#style] ?? GENERAL;
    const value = this.#value;
    switch (this.#type) {
      case 'inlineStr':
        return this.#writer.text(this.#string.take(), format);
      case 'str':
        return this.#writer.text(unescaped(value), format);
      case 'e':
        return null;
    }
    // A formula without a stored result: only a spreadsheet can compute it.
    if (value.trim() === '') return this.#hasFormula ? null : '';
    switch (this.#type) {
      case 's':
        return this.#writer.text(this.#book.strings[Number(value)] ?? '', format);
      case 'b':
        return this.#writer.boolean(value.trim() === '1' || value.trim() === 'true');
      case 'd':
        return this.#writer.number(isoDay(value.trim(), format), format);
      default:
        return this.#writer.number(value.trim(), format);
    }
  }
}
