import { expect, test } from 'vitest';
import { seccompFilter } from './seccomp-filter.ts';

const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const KILL = 0x80000000;
const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

/** Evaluates the filter like the kernel: the subset of classic BPF that it uses. */
function verdict(filter: Buffer, call: { arch: number; number: number; argument?: number }): number {
  const data = new Map([
    [0, call.number],
    [4, call.arch],
    [16, call.argument ?? 0],
  ]);
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const code = filter.readUInt16LE(at * 8);
    const value = filter.readUInt32LE(at * 8 + 4);
    const jump = (holds: boolean) => {
      at += filter.readUInt8(at * 8 + (holds ? 2 : 3));
    };
    if (code === 0x20) accumulator = data.get(value) ?? Number.NaN;
    else if (code === 0x15) jump(accumulator === value);
    else if (code === 0x35) jump(accumulator >= value);
    else if (code === 0x45) jump((accumulator & value) !== 0);
    else if (code === 0x06) return value;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the filter ends without a verdict');
}

const CALLS = {
  x64: {
    read: 0,
    execve: 59,
    socket: 41,
    connect: 42,
    kill: 62,
    ptrace: 101,
    clone: 56,
    unshare: 272,
    mount: 165,
  },
  arm64: {
    read: 63,
    execve: 221,
    socket: 198,
    connect: 203,
    kill: 129,
    ptrace: 117,
    clone: 220,
    unshare: 97,
    mount: 40,
  },
} as const;
const THREAD = 0x003d0f00;
const FORK = 0x01200011;
const NEWUSER = 0x10000000;

test.each(['x64', 'arm64'] as const)(
  '[SBX5] the filter for %s: denies sockets, signals, tracing and new processes, but no call that Node needs',
  (machine) => {
    const filter = seccompFilter(machine);
    if (filter === undefined) throw new Error('no filter');
    const call = (name: keyof (typeof CALLS)['x64'], argument = 0) =>
      verdict(filter, { arch: AUDIT[machine], number: CALLS[machine][name], argument });
    for (const name of ['socket', 'connect', 'kill', 'ptrace', 'mount', 'unshare'] as const)
      expect(call(name), name).toBe(EPERM);
    expect([call('read'), call('execve'), call('clone', THREAD)]).toEqual([ALLOW, ALLOW, ALLOW]);
    expect(call('clone', FORK)).toBe(EPERM);
    expect(verdict(filter, { arch: AUDIT[machine], number: 435 })).toBe(ENOSYS);
    expect(verdict(filter, { arch: 0x40000003, number: 0 })).toBe(KILL);
  },
);

test('[SBX5] the filter for a child started by root: allows a user namespace and no other', () => {
  const filter = seccompFilter('x64', { userNamespace: true });
  if (filter === undefined) throw new Error('no filter');
  const unshare = (flags: number) => verdict(filter, { arch: AUDIT.x64, number: 272, argument: flags });
  expect([unshare(NEWUSER), unshare(NEWUSER | 0x20000), unshare(0x40000000)]).toEqual([ALLOW, EPERM, EPERM]);
});

test('[SBX5] x32 calls: denied', () => {
  const filter = seccompFilter('x64');
  if (filter === undefined) throw new Error('no filter');
  expect(verdict(filter, { arch: AUDIT.x64, number: 0x40000000 + 41 })).toBe(EPERM);
});

test('[SBX5] another architecture: no filter, and the layer is reported as missing', () => {
  expect(seccompFilter('s390x')).toBeUndefined();
});
