import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { FaultPoint } from '#lib/fault-points.ts';
import { silentLog } from '#lib/plain-log.ts';
import { type EmbeddedAddress, startEmbeddedPostgres } from '#storage/embedded/embedded-postgres.ts';
import { findDirectory } from '#storage/embedded/place.ts';
import { readPostmasterFile } from '#storage/embedded/postmaster.ts';
import { isAlive, isServerOf } from '#storage/embedded/process-state.ts';

const SCRIPT = fileURLToPath(new URL('./embedded-process.ts', import.meta.url));

type Message =
  | { event: 'ready'; address: EmbeddedAddress; adopted: boolean; directory: string }
  | { event: 'log' | 'failed'; message: string }
  | { event: 'stopped' };

/** A child process that owns the embedded database; see embedded-process.ts. */
export class EmbeddedOwner {
  readonly child: ChildProcess;
  readonly messages: Message[] = [];
  #wake: (() => void)[] = [];
  #ended = false;

  constructor(
    mode: 'own' | 'durable' | 'borrow',
    dataDir: string,
    as: { uid?: number; gid?: number } = {},
    killAt?: FaultPoint,
  ) {
    const args = ['--disable-warning=ExperimentalWarning', SCRIPT, mode, dataDir];
    if (killAt !== undefined) args.push(killAt);
    this.child = spawn(process.execPath, args, {
      ...as,
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (this.child.stdout === null) throw new Error('bug: no stdout');
    createInterface(this.child.stdout)
      .on('line', (line) => {
        this.messages.push(JSON.parse(line));
        for (const wake of this.#wake.splice(0)) wake();
      })
      .on('close', () => {
        this.#ended = true;
        for (const wake of this.#wake.splice(0)) wake();
      });
    onTestFinished(() => this.kill());
  }

  /** Waits for the first matching message. Throws if the process ends without one. */
  async waitFor<T extends Message>(fits: (message: Message) => message is T): Promise<T> {
    for (;;) {
      const found = this.messages.find(fits);
      if (found !== undefined) return found;
      if (this.#ended) throw new Error(`ended without it: ${JSON.stringify(this.messages)}`);
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  ready = () =>
    this.waitFor((message): message is Extract<Message, { event: 'ready' }> => message.event === 'ready');
  failed = () =>
    this.waitFor((message): message is Extract<Message, { message: string }> => message.event === 'failed');
  /** Waits until this many log lines match. */
  async logged(pattern: RegExp, times = 1): Promise<void> {
    const fits = (message: Message): message is Message =>
      message.event === 'log' && pattern.test(message.message);
    await this.waitFor((_): _ is Message => this.messages.filter(fits).length >= times);
  }

  /** Sends SIGKILL to the whole process group, which does not include the database. */
  async kill(): Promise<void> {
    const { pid } = this.child;
    if (pid === undefined || this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    process.kill(-pid, 'SIGKILL');
    await gone;
  }

  async terminate(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const gone = once(this.child, 'exit');
    this.child.kill(signal);
    const [code] = (await gone) as [number | null];
    return code;
  }
}

/**
 * A data directory for one test, empty or a copy of `template`. Any database in it is killed and removed when the
 * test ends. `mode` is the mode of the parent directory, which controls who can access it.
 */
export function temporaryDataDir({
  template,
  mode = 0o755,
}: {
  template?: string;
  mode?: number;
} = {}): string {
  const dir = mkdtempSync('/tmp/rp-embedded-');
  chmodSync(dir, mode);
  const dataDir = join(dir, 'data');
  if (template !== undefined) execFileSync('cp', ['-a', template, dataDir]);
  onTestFinished(() => removeDataDir(dataDir));
  return dataDir;
}

/** Created once per test file, because initdb takes two seconds. */
export async function makeTemplate(): Promise<string> {
  const dir = mkdtempSync('/tmp/rp-embedded-');
  chmodSync(dir, 0o755);
  const dataDir = join(dir, 'data');
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: { fsync: false } });
  await postgres.stop();
  return dataDir;
}

export async function removeDataDir(dataDir: string): Promise<void> {
  const directory = findDirectory(dataDir);
  if (directory !== undefined) {
    await killServer(join(directory, 'cluster'));
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  // Removes only the parent folder that `temporaryDataDir` created, never any other.
  const around = dirname(dataDir);
  if (/^\/tmp\/rp-embedded-\w+$/.test(around))
    rmSync(around, { recursive: true, force: true, maxRetries: 5 });
}

export function serverPid(directory: string): number | undefined {
  return readPostmasterFile(join(directory, 'cluster'))?.pid;
}

async function killServer(cluster: string): Promise<void> {
  const pid = readPostmasterFile(cluster)?.pid;
  if (pid === undefined || !isServerOf(pid, cluster)) return;
  process.kill(pid, 'SIGQUIT');
  await ended(pid);
}

export async function ended(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Real user id of a process. */
export function uidOf(pid: number): number {
  const line = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]);
}

export async function query<Row extends pg.QueryResultRow>(
  address: EmbeddedAddress,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client({ ...address });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
