import { CappedChild } from '../capped-child.ts';

/** The first bytes of every ZIP, and so of every XLSX workbook (APPNOTE section 4.3.7). */
export function looksLikeXlsx(start: Uint8Array): boolean {
  return start[0] === 0x50 && start[1] === 0x4b && start[2] === 0x03 && start[3] === 0x04;
}

const CAPS = { maxRssBytes: 1_500_000_000, maxMs: 60_000 };

export type XlsxResult =
  | { readonly ok: true; readonly csv: Buffer }
  | { readonly ok: false; readonly reason: 'too-large' | 'unreadable' };

/**
 * The first sheet of a workbook as CSV. A workbook is a ZIP of XML from a stranger: a small file can unpack to
 * gigabytes, so it is read in a child that is killed at a bound of memory, time or output.
 */
export async function xlsxToCsv(workbook: readonly Uint8Array[], maxCsvBytes: number): Promise<XlsxResult> {
  const child = new CappedChild(new URL('xlsx-child.ts', import.meta.url), CAPS.maxRssBytes);
  const outcome = await child.ask(workbook, { ...CAPS, maxOutputBytes: maxCsvBytes });
  if (outcome.ok) return { ok: true, csv: outcome.output };
  return { ok: false, reason: outcome.reason === 'crash' ? 'unreadable' : 'too-large' };
}
