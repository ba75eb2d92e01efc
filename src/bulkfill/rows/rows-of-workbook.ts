import { readFile } from 'node:fs/promises';
import { readWorkbook } from '../../fill/node/xlsx/read-workbook.ts';
import type { WorkbookLimits } from '../../fill/node/xlsx/workbook-limits.ts';
import { workbookRefusal } from '../../fill/node/xlsx/workbook-refusal.ts';
import type { CellValues } from '../../lib/xlsx/cell-values.ts';

/** `costly`: the reader was stopped at a limit. */
export type WorkbookRows =
  | { readonly ok: true; readonly json: Uint8Array }
  | {
      readonly ok: false;
      readonly code: 'INVALID_FIELD' | 'ROWS_TOO_LARGE';
      readonly message: string;
      readonly costly: boolean;
    };

/** The first visible sheet of a workbook as the JSON of `rows_json`, with null for a cell that holds an error. */
export async function rowsOfWorkbook(
  path: string,
  { header, values }: { readonly header: boolean; readonly values: CellValues },
  maxBytes: number,
  limits: WorkbookLimits,
  signal: AbortSignal,
): Promise<WorkbookRows> {
  const form = header ? 'json-below-header' : 'json';
  const read = await readWorkbook([await readFile(path)], { form, values }, maxBytes, limits, signal);
  if (read.ok) return { ok: true, json: read.text };
  const costly = read.reason !== 'unreadable' && read.reason !== 'sheet';
  if (read.reason === 'output')
    return {
      ok: false,
      code: 'ROWS_TOO_LARGE',
      message: `The rows are larger than ${maxBytes} bytes.`,
      costly,
    };
  const code = read.reason === 'sheet' ? 'ROWS_TOO_LARGE' : 'INVALID_FIELD';
  return { ok: false, code, message: `rows_file ${workbookRefusal(read)}`, costly };
}
