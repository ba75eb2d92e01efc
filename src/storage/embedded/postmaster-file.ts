import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `postmaster.pid`, PostgreSQL's own lock and address file in the cluster: line 1 the process id, 5 the socket
 * directory, 7 the shared memory that the server's children still hold after it was killed
 * (PostgreSQL source, src/include/utils/pidfile.h).
 */
export interface PostmasterFile {
  readonly pid: number;
  /** Missing for an instant while the server starts. */
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
 * For a file left by a killed server whose process id now belongs to a stranger: PostgreSQL would take the
 * stranger for a server and refuse to start. With our own id in the first line it sees its parent, which it
 * knows to be none, and goes on to what really matters: whether the shared memory of line 7 is still in use.
 */
export function disownPostmasterFile(cluster: string): void {
  const [, ...rest] = readFileSync(path(cluster), 'utf8').split('\n');
  writeFileSync(path(cluster), [String(process.pid), ...rest].join('\n'));
}
