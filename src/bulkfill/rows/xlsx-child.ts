/**
 * The program that meets uploaded workbooks (Office Open XML, ECMA-376): reads one from standard input and writes its
 * first sheet as the JSON of `rows_json`. It runs in a capped process, because a workbook is a ZIP and may unpack to
 * anything.
 */
import { writeSync } from 'node:fs';
import { readSheet } from 'read-excel-file/node';

const chunks: Uint8Array[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
const input = Buffer.concat(chunks);
/** One byte before the workbook: whether its first row holds names. */
const header = input[0] === 1;
// Numbers keep the text that the workbook holds: ids of 20 digits must not become floating point.
const sheet = await readSheet(input.subarray(1), 1, { parseNumber: (text: string) => text, trim: false });
const rows = header ? sheet.slice(1) : sheet;
while (rows.length > 0 && rows.at(-1)?.every((cell) => cell === null)) rows.pop();
write(
  JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(
        row.flatMap((cell, column) => (cell === null ? [] : [[`column_${column}`, textOf(cell)]])),
      ),
    ),
  ),
);

function textOf(cell: unknown): string {
  if (!(cell instanceof Date)) return String(cell);
  const iso = cell.toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19);
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
