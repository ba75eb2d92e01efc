import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

export interface InstalledServer {
  readonly url: string;
  readonly signInLink: string;
  stop(): Promise<void>;
}

/** The package by its program, run with one Node program. */
export class InstalledPackage {
  readonly #program: string;
  readonly #path: string;

  constructor(program: string, node: string) {
    this.#program = program;
    this.#path = `${dirname(node)}:/usr/bin:/bin`;
  }

  run(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ stdout: string; stderr: string }> {
    return promisify(execFile)(this.#program, [...args], { env: { PATH: this.#path, ...env } });
  }

  /** Serves from an empty data directory, which is removed with the server. */
  async serve(): Promise<InstalledServer> {
    const data = await mkdtemp(join(tmpdir(), 'rowpress-installed-'));
    const child = spawn(this.#program, ['serve'], {
      env: { PATH: this.#path, PORT: '0', LOG_LEVEL: 'warn', ROWPRESS_DATA_DIR: join(data, 'data') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit');
    const stop = async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await exited;
      await rm(data, { recursive: true });
    };
    try {
      return { ...(await started(child, exited)), stop };
    } catch (error) {
      await stop();
      throw error;
    }
  }
}

async function started(child: ChildProcess, exited: Promise<unknown>) {
  const said: string[] = [];
  const lines = (stream: NodeJS.ReadableStream | null, onLine: (line: string) => void) => {
    if (stream !== null) createInterface(stream).on('line', onLine);
  };
  return new Promise<{ url: string; signInLink: string }>((resolve, reject) => {
    let url = '';
    lines(child.stderr, (line) => {
      said.push(line);
      url ||= /ready at (\S+)/.exec(line)?.[1] ?? '';
    });
    // The link is the only line on standard output, and it follows the address.
    lines(child.stdout, (line) => {
      if (line.includes('/sign-in#')) resolve({ url: url || new URL(line).origin, signInLink: line });
    });
    void exited.then(() => reject(new Error(`the server ended: ${said.slice(-5).join(' | ')}`)));
  });
}
