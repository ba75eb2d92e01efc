/**
 * Runs in the capped child (`capped-child.ts`): an XLSX workbook on standard input, its first sheet as CSV on
 * standard output. A refusal is one line of text on standard error and exit status 2.
 */
import { buffer } from 'node:stream/consumers';
import { readSheet } from 'read-excel-file/node';

/** What a person sees in the cell, as far as the file tells: dates without a time of day are days. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, '');
  return String(value);
}

function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

try {
  const rows = await readSheet(await buffer(process.stdin));
  for (const row of rows) {
    const line = `${row.map((cell) => csvCell(cellText(cell))).join(',')}\r\n`;
    if (!process.stdout.write(line)) await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
