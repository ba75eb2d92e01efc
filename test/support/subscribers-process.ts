import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServerMessage, ServerOptions } from '../crash/subscribers-server.ts';
import { ApiClient } from './subscribers-node.ts';

const SCRIPT = fileURLToPath(new URL('../crash/subscribers-server.ts', import.meta.url));

/** A server in its own process, which a test may kill. */
export class SubscribersProcess {
  readonly #child: ChildProcess;
  readonly api: ApiClient;
  /** Signal or exit code. */
  readonly died: Promise<NodeJS.Signals | number | null>;

  private constructor(child: ChildProcess, api: ApiClient) {
    this.#child = child;
    this.api = api;
    this.died = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  }

  static async start(options: ServerOptions): Promise<SubscribersProcess> {
    const child = fork(SCRIPT, [JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // As `bin/rowpress` starts the server.
      execArgv: ['--max-semi-space-size=16'],
    });
    const [message] = (await once(child, 'message')) as [ServerMessage];
    if (!('ready' in message)) throw new Error('the server said something else than that it is ready');
    return new SubscribersProcess(child, new ApiClient(message.ready.url, message.ready.key));
  }

  /** Peak resident size since the previous call. */
  async peakRss(): Promise<number> {
    const answered = once(this.#child, 'message') as Promise<[ServerMessage]>;
    this.#child.send('peak-rss');
    const [message] = await answered;
    return 'peakRss' in message ? message.peakRss : 0;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.died;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.disconnect();
    await this.died;
  }
}
