import { Worker } from 'node:worker_threads';
import type { RowRecord } from '#fill/row-filler.ts';
import { programOf } from '#lib/built-programs.ts';
import { TaskFailed, THREAD_LIMITS, taskFailed } from './thread-failure.ts';
import type { FillTask, Template, ThreadAnswer, ThreadMessage, ThreadTask } from './thread-messages.ts';

export interface FilledRows {
  readonly tails: Uint8Array;
  readonly records: readonly RowRecord[];
}

/**
 * The threads that draw rows, so that the event loop stays free. A thread does one task at a time; a task that is
 * aborted takes its thread with it, because nothing else stops a busy thread.
 */
export class FillThreads {
  readonly #size: number;
  readonly #idle: FillThread[] = [];
  readonly #waiting: ((thread: FillThread) => void)[] = [];
  #alive = 0;
  #closed = false;

  constructor(size: number) {
    this.#size = size;
  }

  /** Loads the fonts of every thread now, so that the first job after a start does not wait for them. */
  warmUp(onError: (error: unknown) => void): void {
    for (let i = this.#alive; i < this.#size; i += 1)
      void this.#run((thread) => thread.run({ kind: 'warm-up' })).catch(onError);
  }

  /** The rows filled, in pieces of bounded size; the thread waits for a caller that is slower than it. */
  async *fill(
    template: Template,
    firstRow: number,
    rows: Uint8Array,
    signal: AbortSignal,
  ): AsyncGenerator<FilledRows> {
    const thread = await this.#take();
    try {
      yield* thread.fill({ kind: 'fill', key: template.key, firstRow, rows }, template, signal);
    } finally {
      this.#giveBack(thread);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#idle.map((thread) => thread.end()));
  }

  async #run(use: (thread: FillThread) => Promise<ThreadAnswer>): Promise<ThreadAnswer> {
    const thread = await this.#take();
    try {
      return await use(thread);
    } finally {
      this.#giveBack(thread);
    }
  }

  #take(): Promise<FillThread> | FillThread {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (!idle.dead) return idle;
      // It died while nobody used it, and would never answer.
      this.#alive -= 1;
    }
    if (this.#alive < this.#size) {
      this.#alive += 1;
      return new FillThread();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #giveBack(thread: FillThread): void {
    const next = this.#waiting.shift();
    if (thread.dead || this.#closed) {
      this.#alive -= 1;
      void thread.end();
      if (next === undefined) return;
      this.#alive += 1;
      next(new FillThread());
      return;
    }
    if (next === undefined) this.#idle.push(thread);
    else next(thread);
  }
}

class FillThread {
  readonly #worker = new Worker(programOf('src/bulkfill/threads/fill-thread.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: THREAD_LIMITS,
  });
  readonly #known = new Set<string>();
  readonly #answers: ThreadAnswer[] = [];
  #wake: (() => void) | undefined;
  #failure: Error | undefined;

  constructor() {
    this.#worker.unref();
    this.#worker.on('message', (answer: ThreadAnswer) => {
      this.#answers.push(answer);
      this.#wake?.();
    });
    this.#worker.on('error', (error) => this.#die(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on('exit', () => this.#die(new Error('a fill thread ended')));
  }

  get dead(): boolean {
    return this.#failure !== undefined;
  }

  async run(task: ThreadTask): Promise<ThreadAnswer> {
    try {
      this.#worker.ref();
      this.#worker.postMessage(task);
      return await this.#answer();
    } finally {
      this.#worker.unref();
    }
  }

  async *fill(task: FillTask, template: Template, signal: AbortSignal): AsyncGenerator<FilledRows> {
    const onAbort = () => {
      this.#die(new Error('aborted'));
      void this.#worker.terminate();
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    let ended = false;
    try {
      this.#worker.ref();
      this.#worker.postMessage(this.#known.has(task.key) ? task : { ...task, template });
      let answer = await this.#answer();
      if (answer.kind === 'template-unknown') {
        this.#worker.postMessage({ ...task, template });
        answer = await this.#answer();
      }
      for (; answer.kind === 'filled'; answer = await this.#answer()) {
        yield answer;
        this.#worker.postMessage({ kind: 'taken' } satisfies ThreadMessage);
      }
      ended = true;
      if (answer.kind !== 'all-filled') throw new Error(`bug: a fill thread answered ${answer.kind}`);
      this.#known.add(task.key);
    } catch (error) {
      // A thread that reported a failure is idle again; any other error leaves it dead or its caller gone.
      ended = ended || error instanceof TaskFailed;
      throw error;
    } finally {
      this.#worker.unref();
      signal.removeEventListener('abort', onAbort);
      // The caller left in the middle, for instance because the disk is full: the thread is still at work.
      if (!ended) await this.end();
    }
  }

  async end(): Promise<void> {
    this.#die(new Error('a fill thread was stopped'));
    await this.#worker.terminate();
  }

  async #answer(): Promise<ThreadAnswer> {
    while (this.#answers.length === 0 && this.#failure === undefined)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#failure !== undefined) throw this.#failure;
    const answer = this.#answers.shift();
    if (answer === undefined) throw new Error('bug: a fill thread woke without an answer');
    if (answer.kind === 'failed') throw taskFailed(answer);
    return answer;
  }

  #die(error: Error): void {
    this.#failure ??= error;
    this.#wake?.();
  }
}
