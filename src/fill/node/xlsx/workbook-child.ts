/**
 * The program that meets uploaded workbooks (Office Open XML, ECMA-376): reads one from standard input and writes its
 * first sheet in the form asked for by the byte before it (read-workbook.ts). It runs in a capped process, because a
 * workbook is a ZIP and may unpack to anything.
 */
import { writeSync } from 'node:fs';
import { readSheet } from 'read-excel-file/node';
import { SHEET_FORMS, type SheetForm } from './sheet-form.ts';

const chunks: Uint8Array[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
const input = Buffer.concat(chunks);
const form = SHEET_FORMS[input[0] ?? 0] ?? 'csv';
// Numbers keep the text that the workbook holds: ids of 20 digits must not become floating point.
const sheet = await readSheet(input.subarray(1), 1, { parseNumber: (text: string) => text, trim: false });
while (sheet.length > 0 && sheet.at(-1)?.every((cell) => cell === null)) sheet.pop();
write(written(sheet, form));

function written(rows: readonly (readonly unknown[])[], as: SheetForm): string {
  if (as === 'csv') return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
  return JSON.stringify(
    (as === 'json-below-header' ? rows.slice(1) : rows).map((row) =>
      Object.fromEntries(
        row.flatMap((cell, column) => (cell === null ? [] : [[`column_${column}`, textOf(cell)]])),
      ),
    ),
  );
}

/** What a person sees in the cell, as far as the file tells: dates without a time of day are days. */
function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (!(cell instanceof Date)) return String(cell);
  const iso = cell.toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19);
}

function csvCell(cell: unknown): string {
  const text = textOf(cell);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function write(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      // The pipe is full; the parent reads as fast as it can.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
