import { WorkbookUnreadable } from './workbook-unreadable.ts';

/** What a sheet can have at most (Excel's own limits). */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;

/** `A` is 0, `Z` 25, `AA` 26. */
export function columnOf(letters: string): number {
  let column = 0;
  for (let at = 0; at < letters.length; at += 1) column = column * 26 + letters.charCodeAt(at) - 64;
  return checked(column - 1, MAX_COLUMNS);
}

/** The column of a cell reference such as `AB12`, or the one after the last cell where there is none. */
export function cellColumn(reference: string | undefined, next: number): number {
  if (reference === undefined) return checked(next, MAX_COLUMNS);
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  return letters === undefined ? checked(Number.NaN, MAX_COLUMNS) : columnOf(letters);
}

/** Rows come in ascending order; `last` is the row before, or -1. */
export function rowIndex(number: string | undefined, last: number): number {
  const row = number === undefined ? last + 1 : Number(number) - 1;
  if (!(row > last)) throw new WorkbookUnreadable('its rows are not in order');
  return checked(row, MAX_ROWS);
}

function checked(index: number, max: number): number {
  if (Number.isInteger(index) && index >= 0 && index < max) return index;
  throw new WorkbookUnreadable('a cell lies outside the sheet');
}
