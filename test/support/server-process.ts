import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { ROWPRESS } from './cli.ts';

/** `rowpress serve` as an operator runs it, in its own process group. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly url: string;

  private constructor(child: ChildProcess, exited: Promise<unknown>, url: string) {
    this.#child = child;
    this.#exited = exited;
    this.url = url;
  }

  /**
   * `launcher` is a command that finally executes its arguments, such as one that joins a cgroup first. `rowpress` is the
   * command of another checkout.
   */
  static async start(
    env: Readonly<Record<string, string>>,
    launcher: readonly string[] = [],
    rowpress: string = ROWPRESS,
  ): Promise<ServerProcess> {
    const [command = rowpress, ...args] = [...launcher, rowpress, 'serve'];
    const child = spawn(command, args, {
      env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', ...env },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = once(child, 'exit');
    if (child.stderr === null) throw new Error('bug: no stderr');
    const said: string[] = [];
    const url = await new Promise<string>((resolve, reject) => {
      createInterface(child.stderr as NodeJS.ReadableStream).on('line', (line) => {
        said.push(line);
        const ready = /ready at (\S+)/.exec(line)?.[1];
        if (ready !== undefined) resolve(ready);
      });
      void exited.then(() => reject(new Error(`the server ended: ${said.slice(-5).join(' | ')}`)));
    });
    return new ServerProcess(child, exited, url);
  }

  get pid(): number {
    const { pid } = this.#child;
    // A made-up id would signal unrelated processes.
    if (pid === undefined) throw new Error('bug: the server was never started');
    return pid;
  }

  /** Kills the whole group, including children and threads, without warning. */
  async kill(): Promise<void> {
    process.kill(-this.pid, 'SIGKILL');
    await this.#exited;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGTERM');
    await this.#exited;
  }
}
