import { Worker } from 'node:worker_threads';
import { programOf } from '#lib/built-programs.ts';
import type { FillPlan } from '../fill-plan.ts';
import type { BaseFacts } from '../prepare/prepared-base.ts';
import type { RowCells } from '../values/row-cells.ts';
import type { AssetSource } from './assets/asset-source.ts';
import { ThreadSlice } from './slice-in-progress.ts';
import { isCounted, packTask, sliceOf, type WireAnswer, type WireTaken } from './slice-wire.ts';

export interface ThreadSetup {
  readonly base: SharedArrayBuffer;
  readonly facts: BaseFacts;
  readonly plan: FillPlan;
  readonly assets: AssetSource | undefined;
  readonly maxCellChars: number;
}

/**
 * A further thread that fills rows. It may be started long before there is anything to fill, because it loads the engine
 * first; pieces come back in the order of its tasks.
 */
export class RowThread {
  readonly #worker: Worker;
  readonly #waiting: ThreadSlice[] = [];
  #failure: Error | null = null;

  constructor() {
    this.#worker = new Worker(programOf('src/fill/node/row-worker.ts'), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      // A stated old generation, far above need, makes V8 collect in time: 63 MB per thread instead of 100.
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    this.#worker.on('message', (answer: WireAnswer) => {
      if (answer === 'filled') this.#waiting.shift()?.end();
      else this.#waiting[0]?.add(sliceOf(answer));
    });
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
  run(firstRow: number, rows: readonly RowCells[]): ThreadSlice {
    const slice = new ThreadSlice((taken) => {
      if (isCounted(taken)) this.#worker.postMessage({ taken } satisfies WireTaken);
    });
    if (this.#failure === null) this.#waiting.push(slice);
    else slice.end(this.#failure);
    this.#worker.postMessage(packTask(firstRow, rows));
    return slice;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const slice of this.#waiting.splice(0)) slice.end(this.#failure);
  }
}
