import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const BIN = fileURLToPath(new URL('../../bin/rowpress', import.meta.url));

export interface CliRun {
  readonly status: number;
  readonly stdout: string;
  readonly stdoutBytes: Uint8Array;
  readonly stderr: string;
  /** Standard output parsed as the one JSON object that `--json` guarantees. */
  json(): Record<string, unknown>;
}

/** A separate folder for one test: inputs, outputs and the installation's data directory. */
export interface CliSandbox {
  readonly folder: string;
  path(name: string): string;
  write(name: string, content: string | Uint8Array | object): Promise<string>;
  read(name: string): Promise<Uint8Array>;
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<CliRun>;
  remove(): Promise<void>;
}

export async function cliSandbox(): Promise<CliSandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'rowpress-cli-'));
  const path = (name: string) => join(folder, name);
  return {
    folder,
    path,
    write: async (name, content) => {
      const raw = typeof content === 'string' || content instanceof Uint8Array;
      await writeFile(path(name), raw ? content : JSON.stringify(content));
      return path(name);
    },
    read: (name) => readFile(path(name)),
    run: (args, env = {}) =>
      new Promise((resolve) => {
        const options = {
          cwd: folder,
          env: { PATH: process.env.PATH ?? '', ROWPRESS_DATA_DIR: path('data'), ...env },
          maxBuffer: 256_000_000,
          encoding: 'buffer' as const,
        };
        execFile(BIN, args, options, (error, stdout, stderr) => {
          const status = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
          const text = stdout.toString('utf8');
          resolve({
            status,
            stdout: text,
            stdoutBytes: stdout,
            stderr: stderr.toString('utf8'),
            json: () => JSON.parse(text) as Record<string, unknown>,
          });
        });
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
