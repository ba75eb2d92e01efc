import { readFile } from 'node:fs/promises';
import { CappedChild } from '../../fill/node/capped-child.ts';

const CHILD = new URL('./xlsx-child.ts', import.meta.url);
const MAX_RSS_BYTES = 768_000_000;
const MAX_MS = 30_000;

export type ReadWorkbook =
  | { readonly ok: true; readonly json: Uint8Array }
  | { readonly ok: false; readonly code: 'INVALID_FIELD' | 'ROWS_TOO_LARGE'; readonly message: string };

/** The first sheet of a workbook as the JSON of `rows_json`, read in a process that may be killed. */
export async function readWorkbook(path: string, header: boolean, maxBytes: number): Promise<ReadWorkbook> {
  const input = [Uint8Array.of(header ? 1 : 0), await readFile(path)];
  const outcome = await new CappedChild(CHILD, MAX_RSS_BYTES).ask(input, {
    maxRssBytes: MAX_RSS_BYTES,
    maxMs: MAX_MS,
    maxOutputBytes: maxBytes,
  });
  if (outcome.ok) return { ok: true, json: outcome.output };
  if (outcome.reason === 'output')
    return { ok: false, code: 'ROWS_TOO_LARGE', message: `The rows are larger than ${maxBytes} bytes.` };
  const why =
    outcome.reason === 'crash'
      ? 'it is not a readable XLSX workbook'
      : `it takes too much ${outcome.reason} to read`;
  return { ok: false, code: 'INVALID_FIELD', message: `rows_file cannot be used: ${why}.` };
}
