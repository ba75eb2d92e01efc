import { keepsPdfActions, maxColumns } from '../api/server-settings.ts';
import type { RowsReading } from '../project/project.ts';
import type { EngineCalls, PreviewPlan, Progress } from './engine-client.ts';
import type { EngineCall, FromWorker, PlanMessage, ToWorker } from './engine-messages.ts';

/**
 * Owns the worker and forwards calls to it. A worker that crashes or stops responding during a call (some files put every
 * parser into an endless loop) is replaced: its open calls fail with a message, and its state is sent to the new worker
 * before the next call, so only the failed calls are lost.
 */
const SILENCE_MS = 45_000;

interface Pending {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: Progress | undefined;
}

export class EngineHost implements EngineCalls {
  #worker: Worker | null = null;
  #lastId = 0;
  readonly #pending = new Map<number, Pending>();
  #watch: ReturnType<typeof setTimeout> | undefined;
  /** The open source and rows, which a replacement worker opens again. */
  #rows: { readonly file: Blob; readonly fileName: string; readonly reading: RowsReading } | null = null;
  /** Settles when the last requested change of the open rows is done. */
  #rowsChanged: Promise<unknown> = Promise.resolve();
  #maxColumns: number | undefined;
  /** Numbers for files, because a file sent to the worker is a different object there. */
  readonly #fileIds = new WeakMap<Blob, number>();
  #lastFileId = 0;
  #given: Pick<PreviewPlan, 'source' | 'assets' | 'pictures'> | null = null;
  #sourceId = 0;
  #assetsId = 0;
  #picturesId = 0;

  openSource: EngineCalls['openSource'] = (bytes) => this.#ask({ name: 'openSource', bytes });
  openPackage: EngineCalls['openPackage'] = (bytes, trustedKeys) =>
    this.#ask({ name: 'openPackage', bytes, trustedKeys });
  openRows: EngineCalls['openRows'] = (file, fileName, reading) =>
    this.#changeRows(async () => {
      this.#maxColumns = await maxColumns();
      const opened = await this.#ask<Awaited<ReturnType<EngineCalls['openRows']>>>({
        name: 'openRows',
        ...this.#rowsMessage(file, fileName, reading),
      });
      if (opened.ok) this.#rows = { file, fileName, reading };
      return opened;
    });
  seeRows: EngineCalls['seeRows'] = async (file, fileName, reading) => {
    this.#maxColumns = await maxColumns();
    return this.#ask({ name: 'seeRows', ...this.#rowsMessage(file, fileName, reading) });
  };
  closeRows: EngineCalls['closeRows'] = () =>
    this.#changeRows(() => {
      this.#rows = null;
      return this.#ask({ name: 'closeRows' });
    });
  readRows: EngineCalls['readRows'] = (from, count) =>
    this.#withRows(() => this.#ask({ name: 'readRows', from, count }));
  pickRows: EngineCalls['pickRows'] = (rows) => this.#withRows(() => this.#ask({ name: 'pickRows', rows }));
  rowsToSend: EngineCalls['rowsToSend'] = (rows, numbered = false) =>
    this.#withRows(() => this.#ask({ name: 'rowsToSend', rows, numbered }));
  correctedCsv: EngineCalls['correctedCsv'] = () =>
    this.#withRows(() => {
      if (this.#rows === null) throw new Error('bug: a corrected file was requested while no rows are open');
      return this.#ask({ name: 'correctedCsv', file: this.#rows.file });
    });
  checkLayout: EngineCalls['checkLayout'] = (plan) =>
    this.#ask({ name: 'checkLayout', plan: this.#planMessage(plan) });
  previewRow: EngineCalls['previewRow'] = async (row, plan) => {
    const asServed = await withServerOptions(plan);
    return this.#withRows(() => this.#ask({ name: 'previewRow', row, plan: this.#planMessage(asServed) }));
  };
  previewSheet: EngineCalls['previewSheet'] = async (rows, sheet, plan) => {
    const asServed = await withServerOptions(plan);
    return this.#withRows(() =>
      this.#ask({ name: 'previewSheet', rows, sheet, plan: this.#planMessage(asServed) }),
    );
  };
  pictureUse: EngineCalls['pictureUse'] = (layout, names, assetNames) =>
    this.#withRows(() => this.#ask({ name: 'pictureUse', layout, names, assetNames }));
  groupsOf: EngineCalls['groupsOf'] = (groupBy, rows) =>
    this.#withRows(() => this.#ask({ name: 'groupsOf', groupBy, rows }));
  longestValues: EngineCalls['longestValues'] = (layout) =>
    this.#withRows(() => this.#ask({ name: 'longestValues', layout }));
  distinctValues: EngineCalls['distinctValues'] = (source) =>
    this.#withRows(() => this.#ask({ name: 'distinctValues', source }));
  preflight: EngineCalls['preflight'] = (plan, onProgress, signal) =>
    this.#withRows(() => this.#ask({ name: 'preflight', plan: this.#planMessage(plan) }, onProgress, signal));
  checkRows: EngineCalls['checkRows'] = (plan, rows) =>
    this.#withRows(() => this.#ask({ name: 'checkRows', plan: this.#planMessage(plan), rows }));

  /** Opens or closes rows, one after the other in the order of the calls. */
  #changeRows<Answer>(change: () => Promise<Answer>): Promise<Answer> {
    const changed = this.#rowsChanged.then(change);
    this.#rowsChanged = changed.catch(() => undefined);
    return changed;
  }

  /** A call that reads rows waits until the rows are open that were requested before it. */
  #withRows<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    return this.#rowsChanged.then(call);
  }

  #ask<Answer>(call: EngineCall, onProgress?: Progress, signal?: AbortSignal): Promise<Answer> {
    const worker = this.#started();
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<Answer>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, onProgress });
      signal?.addEventListener('abort', () =>
        this.#worker?.postMessage({ id, cancel: true } satisfies ToWorker),
      );
      worker.postMessage({ id, call } satisfies ToWorker);
      this.#rearm();
    });
  }

  #rowsMessage(file: Blob, fileName: string, reading: RowsReading) {
    let id = this.#fileIds.get(file);
    if (id === undefined) {
      this.#lastFileId += 1;
      id = this.#lastFileId;
      this.#fileIds.set(file, id);
    }
    const { delimiter, encoding, cells = 'shown' } = reading;
    const content = `${id} ${delimiter} ${encoding} ${cells}`;
    return { content, file, fileName, reading, maxColumns: this.#maxColumns };
  }

  /** The source and the assets are sent once; later calls refer to them by number. */
  #planMessage(plan: PreviewPlan): PlanMessage {
    const { source, assets, pictures, layout, options, passwordColumn, onSheets } = plan;
    this.#started();
    const newSource = this.#given?.source !== source;
    const newAssets = this.#given?.assets !== assets;
    if (newSource) this.#sourceId += 1;
    if (newAssets) this.#assetsId += 1;
    const newPictures = this.#given === null || this.#given.pictures !== pictures;
    if (newPictures) this.#picturesId += 1;
    this.#given = { source, assets, pictures };
    return {
      sourceId: this.#sourceId,
      assetsId: this.#assetsId,
      ...(newSource && { source }),
      ...(newAssets && { assets }),
      picturesId: this.#picturesId,
      ...(newPictures && { pictures: pictures ?? new Map() }),
      layout,
      options,
      passwordColumn,
      onSheets,
    };
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(new URL('./engine-worker.ts', import.meta.url), {
      type: 'module',
      name: 'engine',
    });
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#hear(data));
    worker.addEventListener('error', (event) =>
      this.#replace(`The engine stopped: ${event.message ?? 'it did not load'}.`),
    );
    this.#worker = worker;
    this.#given = null;
    if (this.#rows !== null) {
      const { file, fileName, reading } = this.#rows;
      this.#ask({ name: 'openRows', ...this.#rowsMessage(file, fileName, reading) }).catch(() => undefined);
    }
    return worker;
  }

  #hear(message: FromWorker): void {
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    if ('done' in message) pending.onProgress?.(message.done, message.total);
    else {
      this.#pending.delete(message.id);
      if ('fault' in message) pending.reject(new Error(message.fault));
      else pending.resolve(message.answer as never);
    }
    this.#rearm();
  }

  #rearm(): void {
    clearTimeout(this.#watch);
    if (this.#pending.size === 0) return;
    this.#watch = setTimeout(
      () => this.#replace('This took too long and was stopped. Nothing you made is lost.'),
      SILENCE_MS,
    );
  }

  #replace(reason: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    clearTimeout(this.#watch);
    const left = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of left) reject(new Error(reason));
  }
}

async function withServerOptions(plan: PreviewPlan): Promise<PreviewPlan> {
  return (await keepsPdfActions()) ? { ...plan, options: { ...plan.options, keepActions: true } } : plan;
}
