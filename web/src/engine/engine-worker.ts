/**
 * The worker: rows and the fill engine off the main thread. Reading rows needs little code; the engine, its fonts and its
 * wasm are loaded by the first call that needs them. The listener is added before anything is awaited, because messages
 * that arrive earlier would be lost.
 */
import type { EngineCall, FromWorker, ToWorker } from './engine-messages.ts';
import { columnSamples } from './rows/column-samples.ts';
import { type OpenRows, readFile, rowsOf } from './rows/open-rows.ts';
import { rowsToSend } from './rows/rows-to-send.ts';

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
      return opened.ok ? { ok: true, rows: opened.rows.info, unfitting: opened.unfitting } : opened;
    }
    case 'seeRows': {
      const opened = await openedOf(call, onProgress);
      return opened.ok ? { ok: true, rows: opened.rows.info, samples: columnSamples(opened.rows) } : opened;
    }
    case 'closeRows':
      rows = null;
      return undefined;
    case 'readRows':
      await reading;
      return rowsBetween(call.from, call.from + call.count - 1);
    case 'pickRows':
      await reading;
      return call.rows.map((row) => rowsBetween(row, row)[0] ?? []);
    case 'rowsToSend':
      await reading;
      if (rows === null) throw new Error('bug: rows were requested while none are open');
      return rowsToSend(rows, call.rows, call.numbered);
    case 'correctedCsv': {
      await reading;
      if (rows === null) throw new Error('bug: a corrected file was requested while no rows are open');
      const { correctedCsv } = await import('./rows/corrected-csv.ts');
      return correctedCsv(rows, call.file);
    }
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

/** A row's PDF is transferred instead of copied. */
function transferables(answer: unknown): Transferable[] {
  const pdf = (answer as { pdf?: unknown } | undefined)?.pdf;
  return pdf instanceof Uint8Array ? [pdf.buffer as ArrayBuffer] : [];
}
