/**
 * The worker: rows and the fill engine off the page's thread. Reading rows needs little code; the engine, its fonts and
 * its wasm come with the first call that needs them. The listener stands before anything is awaited, because messages
 * that arrive earlier would be lost.
 */
import type { EngineCall, FromWorker, ToWorker } from './engine-messages.ts';
import { type OpenRows, openRows } from './rows/open-rows.ts';
import { quotedCsvLine } from './rows/quoted-csv.ts';

const scope = globalThis as unknown as {
  postMessage(message: FromWorker, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToWorker>) => void): void;
};
const running = new Map<number, AbortController>();
let rows: OpenRows | null = null;
/** Calls that need rows wait for a file that is being read: a worker that took over from another reads it first. */
let reading: Promise<unknown> = Promise.resolve();

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
      const opening = openRows(call.file, call.fileName, call.reading, onProgress, call.maxColumns);
      reading = opening.catch(() => undefined);
      const opened = await opening;
      if (!opened.ok) return opened;
      rows = opened.rows;
      return { ok: true, rows: rows.info };
    }
    case 'closeRows':
      rows = null;
      return undefined;
    case 'readRows':
      await reading;
      return rowsBetween(call.from, call.from + call.count - 1);
    case 'rowsAsCsv':
      await reading;
      if (rows?.hasErrors === true)
        return (await import('./rows/write-workbook.ts')).workbookOf(rows, call.from, call.to);
      return csvOf(call.from, call.to);
    default: {
      const { fillCall } = await import('./filling/fill-calls.ts');
      await reading;
      return fillCall(call, rows, signal, onProgress);
    }
  }
}

function rowsBetween(from: number, to: number): string[][] {
  if (rows === null) return [];
  const found: string[][] = [];
  for (let row = Math.max(from, 1); row <= Math.min(to, rows.info.rowCount); row += 1)
    found.push(rows.cells(row));
  return found;
}

const CSV_PIECE_ROWS = 5_000;

function csvOf(from: number, to: number): Blob {
  const pieces: string[] = [];
  for (let at = from; at <= to; at += CSV_PIECE_ROWS) {
    pieces.push(
      rowsBetween(at, Math.min(at + CSV_PIECE_ROWS - 1, to))
        .map(quotedCsvLine)
        .join(''),
    );
  }
  return new Blob(pieces, { type: 'text/csv' });
}

/** A row's PDF is handed over instead of copied. */
function transferables(answer: unknown): Transferable[] {
  const pdf = (answer as { pdf?: unknown } | undefined)?.pdf;
  return pdf instanceof Uint8Array ? [pdf.buffer as ArrayBuffer] : [];
}
