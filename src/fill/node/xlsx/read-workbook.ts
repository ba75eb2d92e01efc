import { open } from 'node:fs/promises';
import { programOf } from '#lib/built-programs.ts';
import { CappedChild, type ChildOutcome } from '../capped-child.ts';
import { orderBytes, SHEET_TOO_LARGE, type SheetOrder } from './sheet-form.ts';
import { LOCAL_WORKBOOK_LIMITS, type WorkbookLimits } from './workbook-limits.ts';

const PROGRAM = 'src/fill/node/xlsx/workbook-child.ts';

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
 * Reads the first visible sheet of a workbook. A workbook is an untrusted ZIP of XML: a small file can unpack to gigabytes, so
 * it is read in a child that is killed when it exceeds a limit of memory, time or output.
 */
export async function readWorkbook(
  workbook: readonly Uint8Array[],
  order: SheetOrder,
  maxTextBytes: number,
  limits: WorkbookLimits = LOCAL_WORKBOOK_LIMITS,
  signal?: AbortSignal,
): Promise<ReadWorkbook> {
  const { maxMs, maxRssBytes, maxSheetBytes } = limits;
  const child = new CappedChild(programOf(PROGRAM), maxRssBytes);
  const input = [orderBytes(order, maxSheetBytes), ...workbook];
  const caps = { maxMs, maxRssBytes, maxOutputBytes: maxTextBytes + 1 };
  const outcome = await child.ask(input, caps, signal);
  return unread(outcome, limits) ?? { ok: true, text: (outcome as Answered).output.subarray(1) };
}

/** Reads from file to file: neither the workbook nor its sheet is in this process's memory. */
export async function readWorkbookFile(
  path: string,
  order: SheetOrder,
  output: { readonly path: string; readonly maxBytes: number },
  limits: WorkbookLimits,
  signal: AbortSignal,
): Promise<{ readonly ok: true } | UnreadWorkbook> {
  const { maxMs, maxRssBytes, maxSheetBytes } = limits;
  const source = await open(path, 'r');
  try {
    const target = await open(output.path, 'wx', 0o600);
    try {
      const files = { input: source.fd, output: target.fd };
      const child = new CappedChild(programOf(PROGRAM), maxRssBytes, { files });
      // Whatever its size: a small workbook can unpack to the largest sheet.
      child.yieldToOthers();
      const caps = { maxMs, maxRssBytes, maxOutputBytes: output.maxBytes };
      const outcome = await child.ask([orderBytes(order, maxSheetBytes)], caps, signal);
      return unread(outcome, limits) ?? { ok: true };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

type Answered = Extract<ChildOutcome, { ok: true }>;

function unread(outcome: ChildOutcome, limits: WorkbookLimits): UnreadWorkbook | undefined {
  const { maxMs, maxRssBytes, maxSheetBytes } = limits;
  if (!outcome.ok) return stopped(outcome, { time: maxMs, memory: maxRssBytes });
  const { output } = outcome;
  if (output[0] !== SHEET_TOO_LARGE) return undefined;
  return { ok: false, reason: 'sheet', limit: maxSheetBytes, bytes: Number(output.toString('utf8', 1)) };
}

function stopped(
  { reason }: Extract<ChildOutcome, { ok: false }>,
  limits: Readonly<Record<'time' | 'memory', number>>,
): UnreadWorkbook {
  if (reason === 'crash') return { ok: false, reason: 'unreadable' };
  if (reason === 'output') return { ok: false, reason };
  const limit = reason === 'asleep' ? 'time' : reason;
  return { ok: false, reason: limit, limit: limits[limit] };
}
