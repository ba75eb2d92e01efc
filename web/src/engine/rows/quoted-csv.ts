/**
 * Rows as CSV in which every cell is quoted (RFC 4180). A reader that finds out the separator by itself cannot go wrong
 * on it, and a blank row stays a row.
 */
export function quotedCsvLine(cells: readonly string[]): string {
  if (cells.length === 0) return '""\r\n';
  return `${cells.map((cell) => `"${cell.includes('"') ? cell.replaceAll('"', '""') : cell}"`).join(',')}\r\n`;
}
