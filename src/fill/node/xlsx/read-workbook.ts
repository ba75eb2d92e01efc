import { programOf } from '../../../lib/built-programs.ts';
import { CappedChild } from '../capped-child.ts';
import { orderBytes, type SheetOrder } from './sheet-form.ts';

/** The first bytes of every ZIP, and so of every XLSX workbook (APPNOTE section 4.3.7). */
export function looksLikeXlsx(start: Uint8Array): boolean {
  return start[0] === 0x50 && start[1] === 0x4b && start[2] === 0x03 && start[3] === 0x04;
}

export type ReadWorkbook =
  | { readonly ok: true; readonly text: Buffer }
  | { readonly ok: false; readonly reason: 'memory' | 'time' | 'output' | 'unreadable' };

const CAPS = { maxRssBytes: 1_500_000_000, maxMs: 60_000 };

/**
 * Reads the first visible sheet of a workbook. A workbook is a ZIP of XML from a stranger: a small file can unpack to gigabytes, so
 * it is read in a child that is killed at a bound of memory, time or output.
 */
export async function readWorkbook(
  workbook: readonly Uint8Array[],
  order: SheetOrder,
  maxTextBytes: number,
): Promise<ReadWorkbook> {
  const child = new CappedChild(programOf('src/fill/node/xlsx/workbook-child.ts'), CAPS.maxRssBytes);
  const input = [orderBytes(order), ...workbook];
  const outcome = await child.ask(input, { ...CAPS, maxOutputBytes: maxTextBytes });
  if (outcome.ok) return { ok: true, text: outcome.output };
  return { ok: false, reason: outcome.reason === 'crash' ? 'unreadable' : outcome.reason };
}
