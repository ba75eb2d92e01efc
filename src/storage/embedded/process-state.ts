import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Reports whether a process runs. A zombie does not count: in a container it may never be reaped. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    // Format "pid (name) state …". The name may contain parentheses and spaces, so search for the last one.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^\) [ZX]/.test(stat.slice(stat.lastIndexOf(')')));
  } catch {
    return false;
  }
}

/**
 * Reports whether the process is a server of this cluster. A process id from a file may belong to another process by
 * now (after a reboot, or in a container, where the same small numbers recur). Returns true if the command line cannot
 * be read, which is the safe assumption.
 */
export function isServerOf(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false;
  const command = commandLine(pid);
  return command === undefined || command.includes(cluster);
}

function commandLine(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return undefined;
    }
  }
  const { status, stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
}
