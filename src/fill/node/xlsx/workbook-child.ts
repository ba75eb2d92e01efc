/**
 * The program that parses uploaded workbooks (Office Open XML, ECMA-376). It reads a request and a workbook from standard input
 * and writes the first sheet to standard output in the requested form (sheet-form.ts). If nothing follows the request, the
 * workbook is descriptor 3 and the sheet goes to descriptor 4. It runs in a capped process, because a workbook is a ZIP and may
 * unpack to any size.
 */
import { readFileSync, writeSync } from 'node:fs';
import type { SheetCell } from '#lib/xlsx/cell-text.ts';
import { readFirstSheet } from '#lib/xlsx/read-first-sheet.ts';
import { SheetTooLarge } from '#lib/xlsx/workbook-unreadable.ts';
import { ORDER_LENGTH, orderOf, SHEET_TOO_LARGE, TEXT } from './sheet-form.ts';

const chunks: Uint8Array[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
const input = Buffer.concat(chunks);
const { form, values, maxSheetBytes } = orderOf(input);
const isFile = input.length === ORDER_LENGTH;
const workbook = isFile ? readFileSync(3) : input.subarray(ORDER_LENGTH);
const rows: string[] = [];
const line = form === 'csv' ? csvLine : jsonRow;
try {
  readFirstSheet(workbook, values, (cells) => rows.push(line(cells)), maxSheetBytes);
  if (form === 'json-below-header') rows.shift();
  write(Buffer.of(TEXT));
  write(Buffer.from(form === 'csv' ? rows.join('') : `[${rows.join(',')}]`), isFile ? 4 : 1);
} catch (error) {
  if (!(error instanceof SheetTooLarge)) throw error;
  write(Buffer.from([SHEET_TOO_LARGE, ...Buffer.from(String(error.bytes))]));
}

/** CSV has no place for warnings, so an error becomes a blank. */
function csvLine(cells: readonly SheetCell[]): string {
  return `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`;
}

function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function jsonRow(cells: readonly SheetCell[]): string {
  const members = cells.flatMap((cell, column) =>
    cell === '' ? [] : [`"column_${column}":${JSON.stringify(cell)}`],
  );
  return `{${members.join(',')}}`;
}

function write(bytes: Buffer, descriptor = 1): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      // The pipe is full: try again until the parent has read from it.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
