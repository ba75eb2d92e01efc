/**
 * The worker: rows and the fill engine off the main thread. Reading rows needs little code; the engine, its fonts and its
 * wasm are loaded by the first call that needs them. The listener is added before anything is awaited, because messages
 * that arrive earlier would be lost.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { EngineCall, FromWorker, ToWorker } from './engine-messages.ts';
import { type OpenRows, readFile, rowsOf } from './rows/open-rows.ts';
import { quotedCsvLine } from './rows/quoted-csv.ts';
import { XLSX_TYPE } from './rows/xlsx-type.ts';

const scope = globalThis as unknown as {
  postMessage(message: FromWorker, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToWorker>) => void): void;
};
const running = new Map<number, AbortController>();
let rows: OpenRows | null = null;
/** Calls that need rows wait for a file that is being read: a replacement worker reads it first. */
let reading: Promise<unknown> = Promise.resolve();
/** The last file that was read, so that it can be opened or reordered without reading it again. */
let lastRead: { readonly content: string; readonly file: ReturnType<typeof readFile> } | null = null;

scope.addEventListener('message', ({ data }) => {
  if ('cancel' in data) running.get(data.id)?.abort();
  else void run(data.id, data.call);
});

async function run(id: number, call: EngineCall): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  try {
    const answer = await perform(call, stop.signal, (done, total) =>
      scope.postMessage({ id, done, total }, []),
    );
    scope.postMessage({ id, answer }, transferables(answer));
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    scope.postMessage({ id, fault }, []);
  } finally {
    running.delete(id);
  }
}

async function perform(
  call: EngineCall,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<unknown> {
  switch (call.name) {
    case 'openRows': {
      const opening = openedOf(call, onProgress);
      reading = opening.then(
        (opened) => {
          if (opened.ok) rows = opened.rows;
        },
        () => undefined,
      );
      const opened = await opening;
      return opened.ok ? { ok: true, rows: opened.rows.info } : opened;
    }
    case 'seeRows': {
      const opened = await openedOf(call, onProgress);
      return opened.ok ? { ok: true, rows: opened.rows.info, firstRow: opened.rows.cells(1) } : opened;
    }
    case 'closeRows':
      rows = null;
      return undefined;
    case 'readRows':
      await reading;
      return rowsBetween(call.from, call.from + call.count - 1);
    case 'rowsToSend':
      await reading;
      if (rows?.info.sentAs === 'xlsx') {
        const bytes = (await import('./rows/write-workbook.ts')).workbookOf(rows, call.from, call.to);
        return { file: new Blob([bytes], { type: XLSX_TYPE }), sha256: bytesToHex(sha256(bytes)) };
      }
      return csvOf(call.from, call.to);
    default: {
      const { fillCall } = await import('./filling/fill-calls.ts');
      await reading;
      return fillCall(call, rows, signal, onProgress);
    }
  }
}

type RowsCall = Extract<EngineCall, { name: 'openRows' | 'seeRows' }>;

async function openedOf(call: RowsCall, onProgress: (done: number, total: number) => void) {
  if (lastRead?.content !== call.content)
    lastRead = {
      content: call.content,
      file: readFile(call.file, call.reading, onProgress, call.maxColumns),
    };
  const read = await lastRead.file;
  return read.ok ? rowsOf(read.read, call.fileName, call.reading) : read;
}

function rowsBetween(from: number, to: number): string[][] {
  if (rows === null) return [];
  const found: string[][] = [];
  for (let row = Math.max(from, 1); row <= Math.min(to, rows.info.rowCount); row += 1)
    found.push(rows.cells(row));
  return found;
}

const CSV_PIECE_ROWS = 5_000;

/** Builds the CSV in pieces, so that there is never a second copy of all rows as text. */
function csvOf(from: number, to: number): { file: Blob; sha256: string } {
  const hash = sha256.create();
  const encoder = new TextEncoder();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let at = from; at <= to; at += CSV_PIECE_ROWS) {
    const lines = rowsBetween(at, Math.min(at + CSV_PIECE_ROWS - 1, to)).map(quotedCsvLine);
    const piece = encoder.encode(lines.join(''));
    hash.update(piece);
    pieces.push(piece);
  }
  return { file: new Blob(pieces, { type: 'text/csv' }), sha256: bytesToHex(hash.digest()) };
}

/** A row's PDF is transferred instead of copied. */
function transferables(answer: unknown): Transferable[] {
  const pdf = (answer as { pdf?: unknown } | undefined)?.pdf;
  return pdf instanceof Uint8Array ? [pdf.buffer as ArrayBuffer] : [];
}
