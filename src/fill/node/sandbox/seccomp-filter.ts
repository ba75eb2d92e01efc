/**
 * A seccomp program in the kernel's classic BPF, which bubblewrap reads from a file descriptor. It denies a list of calls and
 * allows the rest: Node, V8 and the C library use different system calls in every version, and an allow list would break
 * readers after an upgrade. A denied call returns EPERM, so that the C library reports an ordinary error.
 */

/** [x86_64, aarch64]; null if the architecture lacks the call. From Linux arch/x86/entry/syscalls and asm-generic/unistd.h. */
const DENIED: Readonly<Record<string, readonly [number | null, number | null]>> = {
  // Sockets; the child's pipes exist before the filter does.
  socket: [41, 198],
  socketpair: [53, 199],
  connect: [42, 203],
  bind: [49, 200],
  listen: [50, 201],
  accept: [43, 202],
  accept4: [288, 242],
  // Signals to other processes.
  kill: [62, 129],
  tkill: [200, 130],
  tgkill: [234, 131],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  pidfd_send_signal: [424, 424],
  // Other processes' memory and files.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  // New processes and programs. bubblewrap starts Node with execve, which must therefore stay allowed.
  fork: [57, null],
  vfork: [58, null],
  execveat: [322, 281],
  // Namespaces, mounts and devices.
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  mknod: [133, null],
  mknodat: [259, 33],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  // Parts of the kernel that have had many vulnerabilities and that a parser does not need.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  fanotify_init: [300, 262],
  personality: [135, 92],
  modify_ldt: [154, null],
  iopl: [172, null],
  ioperm: [173, null],
  // The machine itself. These also require capabilities, which the child does not have.
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  syslog: [103, 116],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  sethostname: [170, 161],
  setdomainname: [171, 162],
};

const ARCHITECTURES = {
  x64: { index: 0, audit: 0xc000003e, clone: 56, unshare: 272 },
  arm64: { index: 1, audit: 0xc00000b7, clone: 220, unshare: 97 },
} as const;
const CLONE3 = 435;
/** System calls of the x32 ABI have this bit. None of our programs uses it. */
const X32_BIT = 0x40000000;
const CLONE_THREAD = 0x00010000;
const CLONE_NEWUSER = 0x10000000;

/** `struct seccomp_data`: number, architecture, instruction pointer, arguments (low word first on both). */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const ERRNO = 0x00050000;
const EPERM = ERRNO | 1;
const ENOSYS = ERRNO | 38;

type Instruction = readonly [code: number, jumpIfTrue: number, jumpIfFalse: number, value: number];

/** Returns undefined if the table lacks the system calls of this architecture. */
export function seccompFilter(
  architecture: string,
  { userNamespace = false }: { readonly userNamespace?: boolean } = {},
): Buffer | undefined {
  const machine = ARCHITECTURES[architecture as keyof typeof ARCHITECTURES];
  if (machine === undefined) return undefined;
  const denied = Object.values(DENIED).flatMap((numbers) => numbers[machine.index] ?? []);
  return assemble([
    [LOAD, 0, 0, ARCHITECTURE],
    [IF_EQUAL, 1, 0, machine.audit],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, NUMBER],
    ...(architecture === 'x64' ? when([IF_AT_LEAST, X32_BIT], EPERM) : []),
    // Its flags are behind a pointer, which a filter cannot read. The C library falls back to clone.
    ...when([IF_EQUAL, CLONE3], ENOSYS),
    ...denied.flatMap((number) => when([IF_EQUAL, number], EPERM)),
    // Threads are allowed, processes are not.
    [IF_EQUAL, 0, 4, machine.clone],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [IF_ANY_BIT, 0, 1, CLONE_THREAD],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, EPERM],
    ...(userNamespace ? onlyNewUser(machine.unshare) : when([IF_EQUAL, machine.unshare], EPERM)),
    [RETURN, 0, 0, ALLOW],
  ]);
}

/** Allows a new user namespace, which the launcher's last step before Node creates when root starts the child. */
function onlyNewUser(unshare: number): Instruction[] {
  return [
    [IF_EQUAL, 0, 4, unshare],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [IF_EQUAL, 0, 1, CLONE_NEWUSER],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, EPERM],
  ];
}

function when([test, value]: readonly [number, number], result: number): Instruction[] {
  return [
    [test, 0, 1, value],
    [RETURN, 0, 0, result],
  ];
}

/** `struct sock_filter`, little-endian on both architectures. */
function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, jumpIfTrue, jumpIfFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(jumpIfTrue, at * 8 + 2);
    bytes.writeUInt8(jumpIfFalse, at * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4);
  }
  return bytes;
}
