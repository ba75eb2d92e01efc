import { totalmem } from 'node:os';

/** The memory this process may use: the limit of its cgroup, else what the machine has. */
export function memoryLimitBytes(): number {
  const machine = totalmem();
  // Without a limit, version 1 of cgroups reports a number near 2^63 and other systems report 0.
  const limit = process.constrainedMemory();
  return limit > 0 && limit < machine ? limit : machine;
}
