import { Worker } from 'node:worker_threads';
import type { RowRecord } from '../../fill/fill-row.ts';
import { programOf } from '../../lib/built-programs.ts';
import type { NormalisedRows, RowSource } from '../rows/normalise-rows.ts';
import type { FillTask, Template, ThreadAnswer, ThreadTask } from './thread-messages.ts';

export interface FilledRows {
  readonly tails: Uint8Array;
  readonly records: readonly RowRecord[];
}

/**
 * The threads that draw rows and read row inputs, so that the event loop stays free. A thread does one task
 * at a time; a task that is aborted takes its thread with it, because nothing else stops a busy thread.
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

  async fill(
    template: Template,
    firstRow: number,
    rows: Uint8Array,
    signal: AbortSignal,
  ): Promise<FilledRows> {
    const answer = await this.#run(async (thread) => {
      const task: FillTask = { kind: 'fill', key: template.key, firstRow, rows };
      const first = await thread.run(thread.knows(template.key) ? task : { ...task, template }, signal);
      return first.kind === 'template-unknown' ? thread.run({ ...task, template }, signal) : first;
    });
    if (answer.kind !== 'filled') throw new Error(`bug: a fill thread answered ${answer.kind}`);
    return answer;
  }

  async normalise(source: RowSource): Promise<NormalisedRows> {
    const answer = await this.#run((thread) => thread.run({ ...source, kind: 'normalise' }));
    if (answer.kind !== 'normalised') throw new Error(`bug: a fill thread answered ${answer.kind}`);
    return answer.result;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#idle.map((thread) => thread.end()));
  }

  async #run(use: (thread: FillThread) => Promise<ThreadAnswer>): Promise<ThreadAnswer> {
    const thread = await this.#take();
    try {
      const answer = await use(thread);
      if (answer.kind === 'failed') throw failureOf(answer);
      return answer;
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

/** What the system refused keeps its code, by which a full disk is told from a bug. */
function failureOf({ message, code }: Extract<ThreadAnswer, { kind: 'failed' }>): Error {
  if (code === undefined) return new Error(`bug: a fill thread failed: ${message}`);
  return Object.assign(new Error(`a fill thread failed: ${message}`), { code });
}

/**
 * Rows leave nothing behind but their bytes, so a small young generation is enough; with V8's own choice a thread
 * grows by hundreds of megabytes of garbage before it is collected.
 */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

class FillThread {
  readonly #worker = new Worker(programOf('src/bulkfill/threads/fill-thread.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: THREAD_LIMITS,
  });
  readonly #known = new Set<string>();
  #settle: { resolve(answer: ThreadAnswer): void; reject(error: Error): void } | undefined;
  dead = false;

  constructor() {
    this.#worker.unref();
    this.#worker.on('message', (answer: ThreadAnswer) => this.#settle?.resolve(answer));
    this.#worker.on('error', (error) => this.#die(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on('exit', () => this.#die(new Error('a fill thread ended')));
  }

  knows(key: string): boolean {
    return this.#known.has(key);
  }

  async run(task: ThreadTask, signal?: AbortSignal): Promise<ThreadAnswer> {
    const answered = new Promise<ThreadAnswer>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    const onAbort = () => {
      this.#die(new Error('aborted'));
      void this.#worker.terminate();
    };
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      this.#worker.ref();
      this.#worker.postMessage(task);
      const answer = await answered;
      if (task.kind === 'fill') this.#known.add(task.key);
      return answer;
    } finally {
      this.#worker.unref();
      this.#settle = undefined;
      signal?.removeEventListener('abort', onAbort);
    }
  }

  async end(): Promise<void> {
    this.dead = true;
    await this.#worker.terminate();
  }

  #die(error: Error): void {
    this.dead = true;
    this.#settle?.reject(error);
  }
}
