/** Far above the time limit. It ends a child whose parent was killed and no longer enforces that limit. */
const CPU_SECONDS = 120;
/** Node has about a dozen threads. In the child's own user namespace, no other processes count. */
export const MAX_PROCESSES = 64;
const MAX_FILES = 256;
/** Covers thread stacks, V8's reserve, and the largest source with all data derived from it. The parent's limit is lower. */
const MEMORY_ALLOWANCE = 2_000_000_000;

/** For a child that writes a file of its parent. The parent's limit is lower. */
const MAX_WRITTEN_BYTES = 4_000_000_000;

export interface KernelLimits {
  readonly maxHeapBytes: number;
  readonly writesFile: boolean;
  readonly countsProcesses: boolean;
}

export const memoryLimit = (maxHeapBytes: number): number => maxHeapBytes + MEMORY_ALLOWANCE;

/**
 * Returns arguments that set kernel limits. The address space is not limited, because V8 reserves far more for WebAssembly
 * than it uses. Private writable memory (`data`) is what a reader actually uses.
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
 * The first step, in a shell outside the sandbox: the kernel kills this child first when memory is short, the child leaves no
 * core dump, and it joins its control group (`$1`; empty means none).
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
