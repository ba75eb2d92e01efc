import { readdirSync, readFileSync } from 'node:fs';

/** Ids of a process and all its descendants. */
export function processTree(first: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(name)]),
  );
  const below = (id: number): number[] => [
    id,
    ...[...parents].filter(([, parent]) => parent === id).flatMap(([child]) => below(child)),
  ];
  return below(first);
}

/**
 * Memory of processes in bytes, as proportional set size: a page that several processes map counts once in the sum, so
 * the shared memory of PostgreSQL is not counted once per connection. Processes that have ended count nothing.
 */
export function proportionalBytes(ids: readonly number[]): number {
  return ids.reduce((sum, id) => sum + proportionalBytesOf(id), 0);
}

function proportionalBytesOf(id: number): number {
  const [, kilobytes = '0'] = /^Pss:\s+(\d+) kB$/m.exec(read(id, 'smaps_rollup')) ?? [];
  return Number(kilobytes) * 1024;
}

function parentOf(id: string): number {
  const stat = read(Number(id), 'stat');
  // The name before it, in parentheses, can contain anything.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function read(id: number, name: string): string {
  try {
    return readFileSync(`/proc/${id}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
