import { availableParallelism, totalmem } from 'node:os';

/** The memory this process may use: the limit of its cgroup, else what the machine has. */
export function memoryLimitBytes(): number {
  const machine = totalmem();
  // Without a limit, version 1 of cgroups reports a number near 2^63 and other systems report 0.
  const limit = process.constrainedMemory();
  return limit > 0 && limit < machine ? limit : machine;
}

/** A worker has a thread with its fonts (45 MB when idle, measured), and a reader and a share of the database beside it. */
const WORKER_BYTES = 192 * 1024 ** 2;

/** One worker for each core, as far as the memory goes. */
export function usualWorkers(
  cores: number = availableParallelism(),
  memoryBytes: number = memoryLimitBytes(),
): number {
  return Math.max(1, Math.min(cores, Math.floor(memoryBytes / WORKER_BYTES)));
}
