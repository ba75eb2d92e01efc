import { Worker } from 'node:worker_threads';
import { programOf } from '../../lib/built-programs.ts';
import type { FillPlan } from '../fill-plan.ts';
import type { BaseFacts } from '../prepare/prepared-base.ts';
import type { RowCells } from '../rows/row-cells.ts';
import { packTask, type RunSlice, sliceOf, type WireSlice } from './slice-wire.ts';

export interface ThreadSetup {
  readonly base: SharedArrayBuffer;
  readonly facts: BaseFacts;
  readonly plan: FillPlan;
  readonly maxCellChars: number;
}

/**
 * A further thread that fills rows. It may be started long before there is anything to fill, because it loads the engine
 * first; answers come back in the order of its tasks.
 */
export class RowThread {
  readonly #worker: Worker;
  readonly #waiting: { resolve(slice: RunSlice): void; reject(error: Error): void }[] = [];
  /** Resolves when it takes tasks, or has failed. */
  readonly settled: Promise<void>;
  readonly #settle: () => void;
  #failure: Error | null = null;
  #ready = false;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.settled = promise;
    this.#settle = resolve;
    this.#worker = new Worker(programOf(new URL('./row-worker.ts', import.meta.url)), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      // A stated old generation, far above need, makes V8 collect in time: 63 MB per thread instead of 100.
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    this.#worker.on('message', (message: 'ready' | WireSlice) => {
      if (message !== 'ready') {
        this.#waiting.shift()?.resolve(sliceOf(message));
        return;
      }
      this.#ready = true;
      this.#settle();
    });
    this.#worker.on('error', (error) =>
      this.#fail(error instanceof Error ? error : new Error(String(error))),
    );
    this.#worker.on('exit', () => this.#fail(new Error('bug: a row thread ended early')));
  }

  open(setup: ThreadSetup): void {
    this.#worker.postMessage(setup);
  }

  /** Takes tasks now. One that has failed also says so, and its tasks fail: a run must not go on with half its threads unnoticed. */
  takes(most: number): boolean {
    return (this.#ready || this.#failure !== null) && this.#waiting.length < most;
  }

  run(firstRow: number, rows: readonly RowCells[]): Promise<RunSlice> {
    const slice = new Promise<RunSlice>((resolve, reject) => {
      if (this.#failure !== null) reject(this.#failure);
      else this.#waiting.push({ resolve, reject });
    });
    this.#worker.postMessage(packTask(firstRow, rows));
    return slice;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#settle();
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}
