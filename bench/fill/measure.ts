import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Runs `work` until it has used this much processor time; rows per CPU-second. */
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

/** Wall clock and greatest resident size of a command (Linux). */
export function runCommand(
  command: string,
  args: readonly string[],
): Promise<{ seconds: number; peakBytes: number; status: number | null }> {
  const started = performance.now();
  const child = spawn(command, args, { stdio: 'ignore' });
  let peakBytes = 0;
  const poll = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peakBytes = Math.max(peakBytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024);
    } catch {
      // It has just ended.
    }
  }, 25);
  return new Promise((resolve) => {
    child.on('close', (status) => {
      clearInterval(poll);
      resolve({ seconds: (performance.now() - started) / 1000, peakBytes, status });
    });
  });
}
