import type { OpenRows } from './open-rows.ts';

const PIECE_LINES = 5_000;
const MARK = '\ufeff';

/**
 * The whole file as CSV with its corrections: the file's own columns and header, its delimiter, UTF-8. It has a byte order
 * mark if the file has one, or if it was a workbook, because Excel reads UTF-8 only with it.
 */
export async function correctedCsv(rows: OpenRows, file: Blob): Promise<Blob> {
  const { lines, info } = rows;
  const delimiter = info.delimiter ?? ',';
  const pieces: string[] = info.kind === 'xlsx' || (await hasMark(file)) ? [MARK] : [];
  for (let at = 0; at < lines.rowCount; at += PIECE_LINES) {
    let piece = '';
    for (let line = at; line < Math.min(at + PIECE_LINES, lines.rowCount); line += 1)
      piece += csvLine(lines.cells(line), lines.columnCount, delimiter);
    pieces.push(piece);
  }
  return new Blob(pieces, { type: 'text/csv;charset=utf-8' });
}

/** UTF-8, UTF-16LE or UTF-16BE. */
async function hasMark(file: Blob): Promise<boolean> {
  const [a, b, c] = new Uint8Array(await file.slice(0, 3).arrayBuffer());
  return (a === 0xef && b === 0xbb && c === 0xbf) || (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
}

/** Quotes only cells that need it (RFC 4180). Readers skip a line of nothing but delimiters, so a blank row has a quoted cell. */
function csvLine(cells: readonly string[], columns: number, delimiter: string): string {
  const special = /["\r\n]|^\s|\s$/;
  const texts = Array.from({ length: Math.max(columns, cells.length) }, (_, index) => {
    const cell = cells[index] ?? '';
    return special.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
  });
  if (texts.join('') === '') texts[0] = '""';
  return `${texts.join(delimiter)}\r\n`;
}
