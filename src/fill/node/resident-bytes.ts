import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;

/**
 * Resident memory of the largest process among `pid` and its descendants: a sandbox adds its own processes above the child.
 * Returns 0 if the system does not report it; then only the kernel's limits apply.
 */
export function residentBytes(pid: number | undefined): number {
  if (pid === undefined) return 0;
  if (process.platform === 'linux') return Math.max(0, ...familyOf(pid).map(residentOf));
  const ps = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8', timeout: 1000 });
  return Number(ps.stdout?.trim()) * 1024 || 0;
}

/** Returns `pid` and its descendants. */
export function familyOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return [pid, ...(children === '' ? [] : children.split(' ').flatMap((child) => familyOf(Number(child))))];
  } catch {
    return [pid];
  }
}

function residentOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
