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
  #failure: Error | null = null;

  constructor() {
    this.#worker = new Worker(programOf('src/fill/node/row-worker.ts'), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      // A stated old generation, far above need, makes V8 collect in time: 63 MB per thread instead of 100.
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    this.#worker.on('message', (slice: WireSlice) => this.#waiting.shift()?.resolve(sliceOf(slice)));
    this.#worker.on('error', (error) =>
      this.#fail(error instanceof Error ? error : new Error(String(error))),
    );
    this.#worker.on('exit', () => this.#fail(new Error('bug: a row thread ended early')));
  }

  open(setup: ThreadSetup): void {
    this.#worker.postMessage(setup);
  }

  get pending(): number {
    return this.#waiting.length;
  }

  /** After `open`; what comes before it is ready waits in its queue. The tasks of one that has failed fail. */
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
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}
