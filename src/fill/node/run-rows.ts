import { Worker } from 'node:worker_threads';
import { type CompactRecords, compactRecords } from '../compose-archive.ts';
import type { FillPlan } from '../fill-plan.ts';
import type { RowFiller } from '../fill-row.ts';
import { fillSlice } from '../fill-slice.ts';
import { createFontKit } from '../fonts/font-kit.ts';
import type { BaseFacts } from '../prepare/prepared-base.ts';
import { createRowFiller } from '../row-filler.ts';
import type { RowCells } from '../rows/row-cells.ts';
import { bundledFontLibrary } from './bundled-fonts.ts';
import { nativeCodec } from './native-codec.ts';
import { type OpenedFill, prefixOf } from './open-fill.ts';
import { YOUNG_GENERATION_MB } from './small-heap.ts';

/**
 * Fills rows on this thread or on several, and yields slices in row order either way. A row's bytes depend on the row
 * alone, so the number of threads cannot be seen in the output.
 */
export interface RunRowsOptions {
  readonly threads: number;
  readonly maxCellChars: number;
  readonly sliceRows?: number;
}

export interface RunSlice extends CompactRecords {
  readonly firstRow: number;
  readonly tails: Uint8Array;
}

export interface WorkerSetup {
  readonly base: SharedArrayBuffer;
  readonly facts: BaseFacts;
  readonly plan: FillPlan;
  readonly maxCellChars: number;
}

export interface WorkerTask {
  readonly firstRow: number;
  readonly rows: readonly RowCells[];
}

/** Large enough that a message costs nothing per row, small enough that memory stays flat. */
const SLICE_ROWS = 128;

export async function* runRows(
  fill: OpenedFill,
  plan: FillPlan,
  batches: AsyncIterable<readonly RowCells[]> | Iterable<readonly RowCells[]>,
  options: RunRowsOptions,
): AsyncGenerator<RunSlice> {
  const tasks = sliced(batches, options.sliceRows ?? SLICE_ROWS);
  if (options.threads <= 1) {
    const ports = { fonts: await createFontKit(bundledFontLibrary()), codec: nativeCodec };
    const filler = await createRowFiller(fill.base, prefixOf(fill), plan, ports, options.maxCellChars);
    for await (const { firstRow, rows } of tasks) yield runSlice(filler, { firstRow, rows });
    return;
  }
  yield* onThreads(fill, plan, tasks, options);
}

export function runSlice(filler: RowFiller, { firstRow, rows }: WorkerTask): RunSlice {
  const { tails, records } = fillSlice(filler, firstRow, rows);
  return { firstRow, tails, ...compactRecords(records) };
}

async function* onThreads(
  fill: OpenedFill,
  plan: FillPlan,
  tasks: AsyncIterable<WorkerTask>,
  { threads, maxCellChars }: RunRowsOptions,
): AsyncGenerator<RunSlice> {
  const base = new SharedArrayBuffer(fill.base.bytes.length);
  new Uint8Array(base).set(fill.base.bytes);
  const setup: WorkerSetup = { base, facts: fill.base.facts, plan, maxCellChars };
  const workers = Array.from({ length: threads }, () => new FillWorker(setup));
  // In row order. A thread that the system holds back must not hold up the others, so the next task goes to whoever
  // has least to do, and finished slices may wait for an earlier one, up to a window.
  const inFlight: InFlight[] = [];
  const window = threads * SLICES_AHEAD;
  try {
    for await (const task of tasks) {
      for (;;) {
        const [head] = inFlight;
        if (head !== undefined && (head.done || inFlight.length >= window)) {
          inFlight.shift();
          yield await head.slice;
          continue;
        }
        const worker = leastBusy(workers);
        if (worker.pending < SLICES_PER_WORKER) {
          inFlight.push(track(worker.run(task)));
          break;
        }
        await Promise.race(inFlight.filter(({ done }) => !done).map(({ settled }) => settled));
      }
    }
    for (const { slice } of inFlight) yield await slice;
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

interface InFlight {
  readonly slice: Promise<RunSlice>;
  /** Never rejects: whoever takes the slice hears of a failure. */
  readonly settled: Promise<void>;
  done: boolean;
}

/** One being filled, one waiting, so that no worker idles between slices. */
const SLICES_PER_WORKER = 2;
const SLICES_AHEAD = 4;

function track(slice: Promise<RunSlice>): InFlight {
  const settle = () => {
    flight.done = true;
  };
  const flight: InFlight = { slice, settled: slice.then(settle, settle), done: false };
  return flight;
}

function leastBusy(workers: readonly FillWorker[]): FillWorker {
  const [first, ...others] = workers;
  if (first === undefined) throw new Error('bug: no worker');
  return others.reduce((least, worker) => (worker.pending < least.pending ? worker : least), first);
}

/** One thread; answers come back in the order of its tasks. */
class FillWorker {
  readonly #worker: Worker;
  readonly #waiting: { resolve(slice: RunSlice): void; reject(error: Error): void }[] = [];
  #failure: Error | null = null;

  constructor(setup: WorkerSetup) {
    this.#worker = new Worker(new URL('./row-worker.ts', import.meta.url), {
      workerData: setup,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      // A stated old generation, far above need, makes V8 collect in time: 63 MB per thread instead of 100.
      resourceLimits: { maxYoungGenerationSizeMb: 3 * YOUNG_GENERATION_MB, maxOldGenerationSizeMb: 512 },
    });
    this.#worker.on('message', (slice: RunSlice) => this.#waiting.shift()?.resolve(slice));
    this.#worker.on('error', (error) =>
      this.#fail(error instanceof Error ? error : new Error(String(error))),
    );
    this.#worker.on('exit', () => this.#fail(new Error('bug: a row worker ended early')));
  }

  get pending(): number {
    return this.#waiting.length;
  }

  run(task: WorkerTask): Promise<RunSlice> {
    const slice = new Promise<RunSlice>((resolve, reject) => {
      if (this.#failure !== null) reject(this.#failure);
      else this.#waiting.push({ resolve, reject });
    });
    this.#worker.postMessage(task);
    return slice;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

async function* sliced(
  batches: AsyncIterable<readonly RowCells[]> | Iterable<readonly RowCells[]>,
  size: number,
): AsyncGenerator<WorkerTask> {
  let firstRow = 1;
  let pending: RowCells[] = [];
  for await (const batch of batches) {
    for (const row of batch) {
      pending.push(row);
      if (pending.length < size) continue;
      yield { firstRow, rows: pending };
      firstRow += pending.length;
      pending = [];
    }
  }
  if (pending.length > 0) yield { firstRow, rows: pending };
}
