import { programOf } from '../../../lib/built-programs.ts';
import { CappedChild, type ChildOutcome } from '../capped-child.ts';
import { orderBytes, SHEET_TOO_LARGE, type SheetOrder } from './sheet-form.ts';
import { LOCAL_WORKBOOK_LIMITS, type WorkbookLimits } from './workbook-limits.ts';

/** The first bytes of every ZIP, and so of every XLSX workbook (APPNOTE section 4.3.7). */
export function looksLikeXlsx(start: Uint8Array): boolean {
  return start[0] === 0x50 && start[1] === 0x4b && start[2] === 0x03 && start[3] === 0x04;
}

export type ReadWorkbook = { readonly ok: true; readonly text: Buffer } | UnreadWorkbook;

/** `limit`: the reader was stopped, or the sheet was too large to be read. */
export type UnreadWorkbook =
  | { readonly ok: false; readonly reason: 'unreadable' }
  | { readonly ok: false; readonly reason: 'memory' | 'time'; readonly limit: number }
  | { readonly ok: false; readonly reason: 'output' }
  | { readonly ok: false; readonly reason: 'sheet'; readonly limit: number; readonly bytes: number };

/**
 * Reads the first visible sheet of a workbook. A workbook is a ZIP of XML from a stranger: a small file can unpack to gigabytes, so
 * it is read in a child that is killed at a bound of memory, time or output.
 */
export async function readWorkbook(
  workbook: readonly Uint8Array[],
  order: SheetOrder,
  maxTextBytes: number,
  limits: WorkbookLimits = LOCAL_WORKBOOK_LIMITS,
  signal?: AbortSignal,
): Promise<ReadWorkbook> {
  const { maxMs, maxRssBytes, maxSheetBytes } = limits;
  const child = new CappedChild(programOf('src/fill/node/xlsx/workbook-child.ts'), maxRssBytes);
  const input = [orderBytes(order, maxSheetBytes), ...workbook];
  const caps = { maxMs, maxRssBytes, maxOutputBytes: maxTextBytes + 1 };
  const outcome = await child.ask(input, caps, signal);
  if (!outcome.ok) return stopped(outcome, { time: maxMs, memory: maxRssBytes });
  const { output } = outcome;
  if (output[0] === SHEET_TOO_LARGE)
    return { ok: false, reason: 'sheet', limit: maxSheetBytes, bytes: Number(output.toString('utf8', 1)) };
  return { ok: true, text: output.subarray(1) };
}

function stopped(
  { reason }: Extract<ChildOutcome, { ok: false }>,
  limits: Readonly<Record<'time' | 'memory', number>>,
): UnreadWorkbook {
  if (reason === 'crash') return { ok: false, reason: 'unreadable' };
  return reason === 'output' ? { ok: false, reason } : { ok: false, reason, limit: limits[reason] };
}
