/**
 * Spreadsheets run a cell that begins with one of these as a formula, even from a CSV (OWASP, "CSV Injection"). Plain
 * numbers are safe and are not changed.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

function looksLikeFormula(cell: string): boolean {
  return FORMULA.test(cell) && !NUMBER.test(cell.replace(/^'+/, ''));
}

/**
 * Prefixes an apostrophe, which turns the cell into text. A cell that starts with one gets another, so that reading can
 * undo it.
 */
export function neutraliseCell(cell: string): string {
  return looksLikeFormula(cell) ? `'${cell}` : cell;
}

/** Undoes `neutraliseCell`: `restoreCell(neutraliseCell(x)) === x` for every text. */
export function restoreCell(cell: string): string {
  return cell.charCodeAt(0) === 39 && looksLikeFormula(cell) ? cell.slice(1) : cell;
}

/** Formats one record of RFC 4180. Quotes cells if required, or if a reader might trim or misread them. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoteCell).join(',')}\r\n`;
}

function quoteCell(cell: string): string {
  return /[",\r\n;\t|]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
