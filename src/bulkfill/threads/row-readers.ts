import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { THREAD_LIMITS, taskFailed } from '#fill/node/threads/thread-failure.ts';
import { programOf } from '#lib/built-programs.ts';
import type { FairTurnstile, Turn } from '#lib/fair-turnstile.ts';
import { LARGE_INPUT_BYTES } from '#lib/lower-priority.ts';
import type { NormalisedRows, RowSource } from '../rows/normalise-rows.ts';
import type { RowAnswer } from './row-reader-thread.ts';

/** `costly`: the reader was stopped at its deadline. */
export type ReadRows = NormalisedRows & { readonly costly?: true };

/**
 * The threads that read row inputs. They are separate from the threads that draw rows, so that a create never waits for
 * the rows of another account's job. Reading is synchronous and long; it can only be stopped by ending the thread.
 */
export class RowReaders {
  readonly #line: FairTurnstile;
  readonly #maxMs: number;
  readonly #idle: RowReader[] = [];
  readonly #busy = new Set<RowReader>();
  #closed = false;

  /** One thread per place in the queue. */
  constructor(line: FairTurnstile, maxMs: number) {
    this.#line = line;
    this.#maxMs = maxMs;
  }

  /** Starts a thread now, so that the first create does not wait for it. */
  warmUp(): void {
    this.#idle.push(new RowReader());
  }

  normalise(source: RowSource, turn: Turn): Promise<ReadRows> {
    return this.#line.run(turn, (signal) => this.#read(source, signal));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#idle, ...this.#busy].map((reader) => reader.end()));
  }

  async #read(source: RowSource, signal: AbortSignal): Promise<ReadRows> {
    const yields = statSync(source.path).size > LARGE_INPUT_BYTES;
    const reader = yields ? new RowReader(true) : this.#take();
    this.#busy.add(reader);
    let late = false;
    const stop = () => void reader.end();
    const deadline = setTimeout(() => {
      late = true;
      stop();
    }, this.#maxMs);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await reader.read(source);
    } catch (error) {
      if (!late) throw error;
      return {
        ok: false,
        code: 'ROWS_TOO_LARGE',
        message: `The rows take longer than ${this.#maxMs} ms to read. Send fewer rows, or ask the operator to raise ROWPRESS_ROWS_TIMEOUT_MS.`,
        costly: true,
      };
    } finally {
      clearTimeout(deadline);
      signal.removeEventListener('abort', stop);
      this.#busy.delete(reader);
      // A thread cannot raise its priority again.
      if (yields) await reader.end();
      if (!reader.dead && !this.#closed) this.#idle.push(reader);
    }
  }

  #take(): RowReader {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop())
      // A thread that died while it was idle would never respond.
      if (!idle.dead) return idle;
    return new RowReader();
  }
}

class RowReader {
  readonly #worker: Worker;
  readonly #ended: Promise<Error>;
  dead = false;

  /** With `yields`, the thread gives way to other work on a busy machine. */
  constructor(yields = false) {
    this.#worker = new Worker(programOf('src/bulkfill/threads/row-reader-thread.ts'), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: THREAD_LIMITS,
      workerData: { yields },
    });
    this.#worker.unref();
    this.#ended = new Promise((resolve) => {
      const end = (error: Error) => {
        this.dead = true;
        resolve(error);
      };
      this.#worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))));
      this.#worker.on('exit', () => end(new Error('a row reader ended')));
    });
  }

  /** Settles only when the thread is idle or has ended, so that its place is free again. */
  async read(source: RowSource): Promise<NormalisedRows> {
    const answered = new Promise<RowAnswer>((resolve) => this.#worker.once('message', resolve));
    this.#worker.ref();
    this.#worker.postMessage(source);
    const answer = await Promise.race([answered, this.#ended]);
    if (answer instanceof Error) throw answer;
    this.#worker.unref();
    if (answer.kind === 'failed') throw taskFailed(answer);
    return answer.rows;
  }

  async end(): Promise<void> {
    this.dead = true;
    await this.#worker.terminate();
  }
}
