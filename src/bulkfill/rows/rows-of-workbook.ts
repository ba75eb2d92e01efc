import { readFile } from 'node:fs/promises';
import { readWorkbook } from '../../fill/node/xlsx/read-workbook.ts';
import type { CellValues } from '../../lib/xlsx/cell-values.ts';

export type WorkbookRows =
  | { readonly ok: true; readonly json: Uint8Array }
  | { readonly ok: false; readonly code: 'INVALID_FIELD' | 'ROWS_TOO_LARGE'; readonly message: string };

/** The first visible sheet of a workbook as the JSON of `rows_json`, with null for a cell that holds an error. */
export async function rowsOfWorkbook(
  path: string,
  { header, values }: { readonly header: boolean; readonly values: CellValues },
  maxBytes: number,
): Promise<WorkbookRows> {
  const form = header ? 'json-below-header' : 'json';
  const read = await readWorkbook([await readFile(path)], { form, values }, maxBytes);
  if (read.ok) return { ok: true, json: read.text };
  if (read.reason === 'output')
    return { ok: false, code: 'ROWS_TOO_LARGE', message: `The rows are larger than ${maxBytes} bytes.` };
  const why =
    read.reason === 'unreadable'
      ? 'it is not a readable XLSX workbook'
      : `it takes too much ${read.reason} to read`;
  return { ok: false, code: 'INVALID_FIELD', message: `rows_file cannot be used: ${why}.` };
}
