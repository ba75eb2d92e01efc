/** Far above what the clock allows; it ends a child whose parent was killed and watches no longer. */
const CPU_SECONDS = 120;
/** Node has about a dozen threads; in a user namespace of its own nothing else counts. */
export const MAX_PROCESSES = 64;
const MAX_FILES = 256;
/** Stacks of threads, V8's reserve and the largest source with all that is made of it; the parent watches more closely. */
const MEMORY_ALLOWANCE = 2_000_000_000;

/** For a child that fills a file of its parent, which watches the size more closely. */
const MAX_WRITTEN_BYTES = 4_000_000_000;

export interface KernelLimits {
  readonly maxHeapBytes: number;
  readonly writesFile: boolean;
  readonly countsProcesses: boolean;
}

export const memoryLimit = (maxHeapBytes: number): number => maxHeapBytes + MEMORY_ALLOWANCE;

/**
 * Limits of the kernel. Not the address space: V8 reserves far more than it uses for WebAssembly. Private writable memory
 * (`data`) is what a reader really takes.
 */
export function limitArguments(
  prlimit: string,
  { maxHeapBytes, writesFile, countsProcesses }: KernelLimits,
): string[] {
  return [
    prlimit,
    `--data=${memoryLimit(maxHeapBytes)}`,
    `--nofile=${MAX_FILES}`,
    `--fsize=${writesFile ? MAX_WRITTEN_BYTES : 0}`,
    '--memlock=65536',
    ...(countsProcesses ? [`--nproc=${MAX_PROCESSES}`] : []),
    '--',
  ];
}

/**
 * The first step, in a shell outside the sandbox: the kernel ends this child before any other process when memory is short,
 * it leaves no core dump, and it joins its control group (`$1`, empty: none).
 */
export const PRELUDE = [
  '[ ! -w /proc/self/oom_score_adj ] || echo 1000 > /proc/self/oom_score_adj',
  '[ -z "$1" ] || echo 0 > "$1/cgroup.procs" || exit 1',
  'shift',
  `ulimit -t ${CPU_SECONDS}`,
  'ulimit -c 0',
  'unset PWD OLDPWD SHLVL _',
  'exec "$@"',
].join('; ');
