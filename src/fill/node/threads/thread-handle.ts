import { Worker } from 'node:worker_threads';
import type { FilledPiece } from '#fill/fill-rows.ts';
import { programOf } from '#lib/built-programs.ts';
import { type ArchivePiece, unpackPiece } from './packed-rows.ts';
import { ThreadSlice } from './slice-in-progress.ts';
import { taskFailed } from './thread-failure.ts';
import {
  type FillTask,
  isCounted,
  type PieceForm,
  type PieceMessage,
  rememberTemplate,
  type Template,
  type ThreadAnswer,
  type ThreadMessage,
} from './thread-messages.ts';

export type ThreadLimits = NonNullable<ConstructorParameters<typeof Worker>[1]>['resourceLimits'];
export type Rows = Omit<FillTask, 'kind' | 'key' | 'form'>;

interface Task {
  /** Key of the template that it fills. */
  readonly key?: string;
  readonly slice: ThreadSlice<FilledPiece | ArchivePiece>;
}

interface Piece {
  readonly records: FilledPiece;
  readonly packed: ArchivePiece;
}

/**
 * One fill thread, as its process sees it. It loads the engine as soon as it is created. Tasks queue up in the thread, and
 * their pieces come back in the order of the tasks. When the thread ends, its tasks fail.
 */
export class FillThread {
  readonly #worker: Worker;
  readonly #templates = new Map<string, true>();
  /** Tasks that are not finished, oldest first. */
  readonly #tasks: Task[] = [];
  #failure: Error | undefined;

  constructor(resourceLimits: ThreadLimits) {
    this.#worker = new Worker(programOf('src/fill/node/threads/fill-thread.ts'), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits,
    });
    this.#worker.unref();
    this.#worker.on('message', (answer: ThreadAnswer) => this.#receive(answer));
    this.#worker.on('error', (error) => this.#die(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on('exit', () => this.#die(new Error('a fill thread ended early')));
  }

  get isDead(): boolean {
    return this.#failure !== undefined;
  }

  /** Number of tasks that are not finished. */
  get pending(): number {
    return this.#tasks.length;
  }

  /** Resolves when the engine is loaded. */
  async warmUp(): Promise<void> {
    const slice = new ThreadSlice<FilledPiece | ArchivePiece>(() => undefined);
    this.#begin({ slice }, { kind: 'warm-up' });
    await slice.fillMore();
    slice.take();
  }

  open(template: Template): void {
    if (this.#templates.has(template.key)) return;
    rememberTemplate(this.#templates, template.key, true);
    this.#post({ kind: 'open', template });
  }

  fill<Form extends PieceForm>(template: Template, form: Form, rows: Rows): ThreadSlice<Piece[Form]> {
    this.open(template);
    const { key } = template;
    const slice = new ThreadSlice<FilledPiece | ArchivePiece>((bytes) => {
      if (isCounted(bytes)) this.#post({ kind: 'taken', bytes });
    });
    this.#begin({ key, slice }, { kind: 'fill', key, form, ...rows });
    return slice as ThreadSlice<Piece[Form]>;
  }

  /** Ends the thread; its tasks fail with `reason`. Nothing else stops a thread that is filling rows. */
  async end(reason = new Error('a fill thread was stopped')): Promise<void> {
    this.#die(reason);
    await this.#worker.terminate();
  }

  #begin(task: Task, message: ThreadMessage): void {
    if (this.#failure !== undefined) {
      task.slice.end(this.#failure);
      return;
    }
    this.#tasks.push(task);
    this.#worker.ref();
    this.#post(message);
  }

  #receive(answer: ThreadAnswer): void {
    // A last message of a thread that is being ended. It must not unreference the worker, because a caller waits for its end.
    if (this.#failure !== undefined) return;
    if (answer.kind === 'piece') {
      this.#tasks[0]?.slice.add(pieceOf(answer));
      return;
    }
    const task = this.#tasks.shift();
    if (this.#tasks.length === 0) this.#worker.unref();
    if (answer.kind === 'done') {
      task?.slice.end();
      return;
    }
    // The template may be the reason: the next task opens it again.
    if (task?.key !== undefined) this.#templates.delete(task.key);
    task?.slice.end(taskFailed(answer));
  }

  #die(error: Error): void {
    this.#failure ??= error;
    for (const { slice } of this.#tasks.splice(0)) slice.end(this.#failure);
  }

  #post(message: ThreadMessage): void {
    this.#worker.postMessage(message);
  }
}

function pieceOf(message: PieceMessage): FilledPiece | ArchivePiece {
  return message.form === 'records' ? message : unpackPiece(message);
}
