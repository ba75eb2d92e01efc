import { format } from 'numfmt';
import type { CellFormat } from './cell-format.ts';
import type { CellValues } from './cell-values.ts';
import { rawDate } from './raw-date.ts';

/** Returns the text of a cell, or null if the spreadsheet shows an error or cannot show the value. */
export type SheetCell = string | null;

export interface CellWriter {
  text(text: string, format: CellFormat): SheetCell;
  number(digits: string, format: CellFormat): SheetCell;
  boolean(value: boolean): SheetCell;
}

/**
 * Options that make the text depend on the cell alone: English separators and names, no narrow spaces. A date outside 1900 to 9999 throws;
 * a spreadsheet fills such a cell with `#`.
 */
const OPTIONS = { locale: 'en', nbsp: false, dateErrorThrows: true, dateSpanLarge: false } as const;

/** Excel shows at most 11 characters of a `General` number. Short numbers need no formatter. */
const PLAIN = /^-?\d{1,10}(\.\d{1,5})?$/;
const PLAIN_CHARS = 11;
/** A cache, because dates and prices repeat: formatting takes ten times as long as a lookup. */
const MOST_KEPT = 2_000;

export const shownCells: CellWriter = {
  text: (text, { pattern }) =>
    pattern.includes('@') || pattern.includes(';') ? shownText(pattern, text) : text,
  number: (digits, cellFormat) => {
    const value = Number(digits);
    if (Number.isNaN(value)) return null;
    if (cellFormat.pattern === 'General') {
      const plain = String(value);
      if (plain.length <= PLAIN_CHARS && PLAIN.test(plain)) return plain;
    }
    const kept = keptTexts(cellFormat);
    let text = kept.get(value);
    if (text === undefined) {
      text = shownNumber(cellFormat, value);
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(value, text);
    }
    return text;
  },
  boolean: (value) => (value ? 'TRUE' : 'FALSE'),
};

/** A whole number keeps the digits of the workbook: ids of 20 digits must not become floating point. */
export const rawCells: CellWriter = {
  text: (text) => text,
  number: (digits, cellFormat) => {
    const value = Number(digits);
    if (Number.isNaN(value)) return null;
    if (cellFormat.isDate) return rawDate(value, cellFormat);
    return /^-?[1-9]\d*$/.test(digits) ? digits : String(value);
  },
  boolean: String,
};

export const cellWriter = (values: CellValues): CellWriter => (values === 'raw' ? rawCells : shownCells);

const texts = new WeakMap<CellFormat, Map<number, SheetCell>>();
function keptTexts(cellFormat: CellFormat): Map<number, SheetCell> {
  let kept = texts.get(cellFormat);
  if (kept === undefined) {
    kept = new Map();
    texts.set(cellFormat, kept);
  }
  return kept;
}

function shownText(pattern: string, text: string): string {
  return format(pattern, text, OPTIONS);
}

/** Spaces at the ends only align digits in a column (`?` and `_x` of a format). */
function shownNumber({ pattern, epochShift }: CellFormat, value: number): SheetCell {
  try {
    return format(pattern, value + epochShift, OPTIONS).trim();
  } catch {
    return null;
  }
}
