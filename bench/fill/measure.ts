import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Runs `work` until it has used this much processor time. Returns rows per CPU-second. */
export async function rowsPerCpuSecond(
  work: (row: number) => unknown,
  seconds: number,
  from: number,
): Promise<number> {
  const start = process.cpuUsage();
  let rows = 0;
  let used = 0;
  while (used < seconds * 1e6 || rows < 3) {
    const result = work(from + rows);
    if (result instanceof Promise) await result;
    rows += 1;
    if (rows % 16 === 0 || used === 0 || rows < 16) {
      const { user, system } = process.cpuUsage(start);
      used = user + system;
    }
  }
  const { user, system } = process.cpuUsage(start);
  return (rows * 1e6) / (user + system);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The best of several rounds and their median. Other load on the machine can only increase wall-clock times. */
export interface Timed {
  readonly best: number;
  readonly median: number;
}

export function timed(values: readonly number[]): Timed {
  return { best: Math.min(...values), median: median(values) };
}

export interface CommandRun {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakBytes: number;
  readonly status: number | null;
  /** The text written to standard output. */
  readonly output: string;
}

/**
 * Measures wall-clock time, processor time and peak resident size of a command (Linux), without its child processes.
 */
export function runCommand(command: string, args: readonly string[]): Promise<CommandRun> {
  const started = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  let peakBytes = 0;
  let cpuSeconds = 0;
  const poll = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peakBytes = Math.max(peakBytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024);
      const [, fields = ''] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ');
      // utime and stime, in hundredths of a second (proc_pid_stat(5)).
      const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
      cpuSeconds = Math.max(cpuSeconds, (user + system) / 100);
    } catch {
      // The process has just ended.
    }
  }, 25);
  return new Promise((resolve) => {
    child.on('close', (status) => {
      clearInterval(poll);
      resolve({ seconds: (performance.now() - started) / 1000, cpuSeconds, peakBytes, status, output });
    });
  });
}
