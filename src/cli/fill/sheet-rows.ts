import { looksLikeXlsx, readWorkbook } from '#fill/node/xlsx/read-workbook.ts';
import type { RowLimits } from '#lib/rows/read-rows.ts';
import { RowsRefused } from '#lib/rows/rows-refused.ts';
import { CliRefusal } from './cli-refusal.ts';
import { refusalInWords } from './foreign-rows.ts';
import type { Chunks } from './row-bytes.ts';
import type { RowReading } from './row-file.ts';

/**
 * Reads the rows of a workbook as the server does (JSON, null for an error). Returns null if the bytes do not begin
 * like a workbook.
 */
export async function sheetOf(
  name: string,
  open: () => Chunks,
  { csvHeader, cellValues: values, labels }: RowReading,
  { maxBytes }: RowLimits,
): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of open()) {
    parts.push(chunk);
    length += chunk.length;
    const isShort = length < 4;
    if (!isShort && !looksLikeXlsx(Buffer.concat(parts.slice(0, 4)))) return null;
    if (length > maxBytes)
      throw new CliRefusal('ROWS_TOO_LARGE', `${name} is larger than ${maxBytes} bytes.`);
  }
  const workbook = Buffer.concat(parts);
  if (!looksLikeXlsx(workbook)) return null;
  const form = csvHeader && labels === undefined ? 'json-below-header' : 'json';
  const read = await readWorkbook([workbook], { form, values }, maxBytes);
  if (read.ok) return read.text;
  if (read.reason === 'output')
    throw new CliRefusal('ROWS_TOO_LARGE', `The rows are larger than ${maxBytes} bytes.`);
  const why =
    read.reason === 'unreadable'
      ? 'is not a readable XLSX workbook'
      : read.reason === 'sheet'
        ? `has a sheet of ${read.bytes} bytes of XML; at most ${read.limit} are allowed`
        : `takes too much ${read.reason} to read`;
  const refused = new RowsRefused('INVALID_CSV', `${name} ${why}.`);
  throw new CliRefusal(refused.code, refusalInWords(name, workbook.subarray(0, 1 << 16), refused));
}
