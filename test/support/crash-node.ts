import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FaultPoint } from '#lib/fault-points.ts';
import type { Answer, Command, NodeOptions } from '../crash/node.ts';

const SCRIPT = fileURLToPath(new URL('../crash/node.ts', import.meta.url));

type Body<C> = C extends unknown ? Omit<C, 'id'> : never;

/** A node in its own process. `ask` rejects if the process dies before it answers. */
export class CrashNode {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (value: unknown) => void>();
  readonly died: Promise<NodeJS.Signals | number | null>;
  #onHeld: (() => void) | undefined;
  #asked = 0;
  #dead = false;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.died = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
    void this.died.then(() => {
      this.#dead = true;
    });
  }

  static async start(options: NodeOptions): Promise<CrashNode> {
    const child = fork(SCRIPT, [JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
    });
    const node = new CrashNode(child);
    await new Promise<void>((resolve, reject) => {
      child.on('message', (answer: Answer) => {
        if ('ready' in answer) resolve();
        else if ('held' in answer) node.#onHeld?.();
        else node.#answer(answer);
      });
      void node.died.then((how) => reject(new Error(`the node died at start: ${how}`)));
    });
    return node;
  }

  get dead(): boolean {
    return this.#dead;
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** Undefined if the process died without an answer, like a broken connection for a client. */
  async ask<T>(command: Body<Command>): Promise<T | undefined> {
    const id = ++this.#asked;
    const answered = new Promise<T>((resolve) => this.#waiting.set(id, resolve as (value: unknown) => void));
    if (!this.#dead) this.#child.send({ ...command, id }, () => {});
    return Promise.race([answered, this.died.then(() => undefined)]);
  }

  /**
   * Pauses the next work of this node that reaches the point. `reached` resolves once this node waits there; the work
   * continues after `release`.
   */
  async holdAt(point: FaultPoint): Promise<{ reached: Promise<void>; release(): Promise<unknown> }> {
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    this.#onHeld = resolve;
    await this.ask({ do: 'hold', point });
    return { reached, release: () => this.ask({ do: 'release' }) };
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async stop(): Promise<void> {
    if (this.#dead) return;
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 60_000);
    await this.ask({ do: 'stop' });
    await this.died;
    clearTimeout(timer);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.died;
  }

  #answer(answer: { id: number; value: unknown }): void {
    this.#waiting.get(answer.id)?.(answer.value);
    this.#waiting.delete(answer.id);
  }
}
