/**
 * Writes rows as CSV with every cell quoted (RFC 4180). A reader that detects the separator cannot misread it, and a blank
 * row remains a row.
 */
export function quotedCsvLine(cells: readonly string[]): string {
  if (cells.length === 0) return '""\r\n';
  return `${cells.map((cell) => `"${cell.includes('"') ? cell.replaceAll('"', '""') : cell}"`).join(',')}\r\n`;
}
