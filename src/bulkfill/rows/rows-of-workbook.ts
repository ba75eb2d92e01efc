import { readWorkbookFile } from '#fill/node/xlsx/read-workbook.ts';
import type { WorkbookLimits } from '#fill/node/xlsx/workbook-limits.ts';
import { workbookRefusal } from '#fill/node/xlsx/workbook-refusal.ts';
import type { CellValues } from '#lib/xlsx/cell-values.ts';

/** `costly`: the reader was stopped at a limit. */
export type WorkbookRows =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly code: 'INVALID_FIELD' | 'ROWS_TOO_LARGE';
      readonly message: string;
      readonly costly: boolean;
    };

/** Writes the first visible sheet of a workbook as the JSON of `rows_json`, with null for a cell that holds an error. */
export async function rowsOfWorkbook(
  path: string,
  { header, values }: { readonly header: boolean; readonly values: CellValues },
  output: { readonly path: string; readonly maxBytes: number },
  limits: WorkbookLimits,
  signal: AbortSignal,
): Promise<WorkbookRows> {
  const form = header ? 'json-below-header' : 'json';
  const read = await readWorkbookFile(path, { form, values }, output, limits, signal);
  if (read.ok) return read;
  const costly = read.reason !== 'unreadable' && read.reason !== 'sheet';
  if (read.reason === 'output')
    return {
      ok: false,
      code: 'ROWS_TOO_LARGE',
      message: `The rows are larger than ${output.maxBytes} bytes.`,
      costly,
    };
  const code = read.reason === 'sheet' ? 'ROWS_TOO_LARGE' : 'INVALID_FIELD';
  return { ok: false, code, message: `rows_file ${workbookRefusal(read)}`, costly };
}
