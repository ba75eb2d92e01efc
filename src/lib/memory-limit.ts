import { availableParallelism, totalmem } from 'node:os';

/** Returns the memory that this process can use: the limit of its cgroup, else the memory of the machine. */
export function memoryLimitBytes(): number {
  const machine = totalmem();
  // Without a limit, version 1 of cgroups reports a number near 2^63 and other systems report 0.
  const limit = process.constrainedMemory();
  return limit > 0 && limit < machine ? limit : machine;
}

/** Memory per worker: a thread with its fonts (45 MB when idle, measured), a reader, and a share of the database. */
const WORKER_BYTES = 192 * 1024 ** 2;

/** Returns one worker per core, or fewer if the memory is small. */
export function usualWorkers(
  cores: number = availableParallelism(),
  memoryBytes: number = memoryLimitBytes(),
): number {
  return Math.max(1, Math.min(cores, Math.floor(memoryBytes / WORKER_BYTES)));
}
