import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROWPRESS = fileURLToPath(new URL('../../bin/rowpress', import.meta.url));

export interface FillCost {
  /** Processor time of the process, without the sandboxed one that reads the source. */
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

/** Builds the programs and fills the cache of compiled code. */
export function prepareCommand(): void {
  execFileSync(ROWPRESS, ['--version']);
}

/** Runs `rowpress fill` on one thread into /dev/null. */
export function measureFill(folder: string, args: readonly string[]): FillCost {
  const run = ['fill', ...args, '--threads', '1', '-o', '/dev/null'];
  const report = join(folder, 'time');
  const { status, stderr } = spawnSync('/usr/bin/time', ['-o', report, '-f', '%U %S %M', ROWPRESS, ...run], {
    encoding: 'utf8',
    env: { ...process.env, ROWPRESS_SECRET_KEY: '5'.repeat(64) },
  });
  if (status !== 0) throw new Error(stderr);
  const [user = 0, system = 0, kilobytes = 0] = readFileSync(report, 'utf8').trim().split(' ').map(Number);
  return { cpuSeconds: user + system, peakMb: Math.round(kilobytes / 1024) };
}

/** The least processor time and the most memory of all runs. */
export function bestOf(runs: readonly FillCost[]): FillCost {
  return {
    cpuSeconds: Math.min(...runs.map(({ cpuSeconds }) => cpuSeconds)),
    peakMb: Math.max(...runs.map(({ peakMb }) => peakMb)),
  };
}
