import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlainLog } from '#lib/plain-log.ts';
import type { Binaries } from './binaries.ts';
import type { Place } from './place.ts';
import { isAlive } from './process-state.ts';
import { runAs } from './run-user.ts';

/**
 * `postmaster.pid`, PostgreSQL's lock and address file in the cluster: line 1 is the process id, 5 the socket
 * directory, 7 the shared memory that the server's children still hold after it was killed (PostgreSQL source,
 * src/include/utils/pidfile.h).
 */
export interface PostmasterFile {
  readonly pid: number;
  /** Missing for a moment while the server starts. */
  readonly socketDirectory: string | undefined;
}

const path = (cluster: string) => join(cluster, 'postmaster.pid');

export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  let text: string;
  try {
    text = readFileSync(path(cluster), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, socketDirectory: lines[4] || undefined };
}

/**
 * Fixes the file of a killed server whose process id now belongs to another program. PostgreSQL would take that program
 * for a server and refuse to start. With our own id in line 1 it finds its parent process, which it ignores, and checks
 * what matters: whether the shared memory of line 7 is still in use.
 */
export function disownPostmasterFile(cluster: string): void {
  const [, ...rest] = readFileSync(path(cluster), 'utf8').split('\n');
  writeFileSync(path(cluster), [String(process.pid), ...rest].join('\n'));
}

/** A server process that this process started. */
export interface Postmaster {
  readonly process: ChildProcess;
  hasEnded(): boolean;
  /** Returns the log since this start. */
  complaint(): string;
}

const LOG_LIMIT = 10 * 1024 * 1024;

/**
 * Starts the server in its own session, so that Ctrl-C or a signal to our process group does not reach it first, and
 * with a log file, so that it survives if we are killed (a pipe would break).
 */
export function startPostmaster(
  place: Place,
  binaries: Binaries,
  options: Record<string, string>,
): Postmaster {
  const { fd, from } = openLog(place.logFile);
  const child = spawn(join(binaries.bin, 'postgres'), serverArguments(place, options), {
    ...runAs(place.user),
    env: binaries.env,
    detached: true,
    stdio: ['ignore', fd, fd],
  });
  closeSync(fd);
  child.unref();
  let failure: Error | undefined;
  child.on('error', (error) => {
    failure = error;
  });
  return {
    process: child,
    hasEnded: () => failure !== undefined || child.exitCode !== null || child.signalCode !== null,
    complaint: () => failure?.message ?? readFrom(place.logFile, from),
  };
}

export function serverArguments(place: Place, options: Record<string, string>): string[] {
  const settings = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', place.cluster, ...settings];
}

function openLog(path: string): { fd: number; from: number } {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT) renameSync(path, `${path}.1`);
  return { fd: openSync(path, 'a', 0o600), from: size > LOG_LIMIT ? 0 : size };
}

function readFrom(path: string, from: number): string {
  const buffer = Buffer.alloc(8192);
  const fd = openSync(path, 'r');
  try {
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, from)).trim();
  } finally {
    closeSync(fd);
  }
}

/**
 * Stops a server, started or adopted. SIGINT is PostgreSQL's fast shutdown: sessions end, a checkpoint is written, and
 * the next start needs no recovery. The other signals are for a server that cannot do that (full disk); they lose no
 * committed data either.
 */
export async function stopPostmaster(pid: number, log: PlainLog): Promise<void> {
  const steps: [signal: NodeJS.Signals, patienceMs: number][] = [
    ['SIGINT', 60_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 10_000],
  ];
  for (const [signal, patienceMs] of steps) {
    if (signal !== 'SIGINT') log.warn(`PostgreSQL ${pid} does not stop; sending ${signal}`);
    if (!send(pid, signal)) return;
    const giveUp = performance.now() + patienceMs;
    while (performance.now() < giveUp) {
      if (!isAlive(pid)) return;
      await sleep(10);
    }
  }
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
