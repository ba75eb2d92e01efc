/**
 * Spreadsheets run a cell that begins with one of these as a formula, also when it came from a CSV
 * (OWASP, "CSV Injection"). Plain numbers are safe and stay as they are.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

function looksLikeFormula(cell: string): boolean {
  return FORMULA.test(cell) && !NUMBER.test(cell.replace(/^'+/, ''));
}

/** An apostrophe in front turns it into text. What has one already gets another, so that reading can undo it. */
export function neutraliseCell(cell: string): string {
  return looksLikeFormula(cell) ? `'${cell}` : cell;
}

/** The inverse: `restoreCell(neutraliseCell(x)) === x` for every text. */
export function restoreCell(cell: string): string {
  return cell.charCodeAt(0) === 39 && looksLikeFormula(cell) ? cell.slice(1) : cell;
}

/** One record of RFC 4180. Quoted where it must be, and where a reader might trim or guess. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoteCell).join(',')}\r\n`;
}

function quoteCell(cell: string): string {
  return /[",\r\n;\t|]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
