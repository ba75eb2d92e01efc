import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { CappedChild } from '../capped-child.ts';
import { refuseMissing } from './current.ts';
import { describeLayers } from './layers.ts';
import { Sandbox, type SandboxOptions } from './sandbox.ts';
import { findTools } from './tools.ts';

const SCRIPT = new URL('../../../../test/support/children/misbehave.ts', import.meta.url);
const CAPS = { maxRssBytes: 400_000_000, maxMs: 30_000, maxOutputBytes: 100_000 };
const isLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;
const find = (options: SandboxOptions = {}) => Sandbox.find(fileURLToPath(SCRIPT), options);
const best = find();

const echo = (sandbox: Sandbox) =>
  new CappedChild(SCRIPT, CAPS.maxRssBytes, { sandbox }).ask([Buffer.from('echo hello')], CAPS);

/** The pid of a waiting child outside the sandbox: the innermost Node process. */
async function waiting(sandbox: Sandbox): Promise<number> {
  const child = new CappedChild(SCRIPT, CAPS.maxRssBytes, { sandbox });
  onTestFinished(() => child.dismiss());
  const family = (pid: number): number[] => {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return [pid, ...(text === '' ? [] : text.split(' ').flatMap((one) => family(Number(one))))];
  };
  // Node names its main thread. All processes before it are steps of the launcher.
  const isNode = (pid: number) => /^(node|MainThread)\n/.test(readFileSync(`/proc/${pid}/comm`, 'utf8'));
  for (;;) {
    try {
      const found = family(child.pid ?? 0).find(isNode);
      if (found !== undefined) return found;
    } catch {
      // A step of the launcher has just ended.
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const status = (pid: number, field: string) =>
  new RegExp(`^${field}:[ \\t]*(.*)$`, 'm')
    .exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    ?.split(/\s+/);

test.runIf(isLinux).each([
  ['no program of the launcher is installed', { tools: findTools([]) }],
  ['bubblewrap is missing', { tools: { ...findTools(), bwrap: undefined } }],
  ['setpriv is missing', { tools: { ...findTools(), setpriv: undefined } }],
  ['prlimit is missing', { tools: { ...findTools(), prlimit: undefined } }],
  ['namespaces are forbidden', { ways: ['none'] }],
  ['mounts are forbidden', { ways: ['network', 'none'] }],
  ['all programs are installed', {}],
] as [string, SandboxOptions][])(
  '[SBX1] %s: the child works with the remaining layers',
  async (_, options) => {
    const sandbox = find(options);
    expect(await echo(sandbox)).toMatchObject({ ok: true });
    if (options.tools?.bwrap === undefined && options.tools !== undefined)
      expect(sandbox.layers.seccomp).toBe(false);
    if (options.ways !== undefined) expect(sandbox.layers.namespaces).toBe(false);
  },
);

test.runIf(best.layers.namespaces)(
  '[SBX2] [SBX3] a child with namespaces: shares none of them and sees only the files of its program',
  async () => {
    const pid = await waiting(best);
    const own = ['user', 'mnt', 'pid', 'net', 'ipc'].filter(
      (kind) => readlinkSync(`/proc/${pid}/ns/${kind}`) !== readlinkSync(`/proc/self/ns/${kind}`),
    );
    expect(own).toEqual(['user', 'mnt', 'pid', 'net', 'ipc']);
    const seen = readdirSync(`/proc/${pid}/root`);
    expect(seen).toContain('usr');
    expect(seen.filter((name) => ['etc', 'dev', 'sys', 'boot'].includes(name))).toEqual([]);
    const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').trim().split('\n');
    expect(mounts.filter((line) => !line.split(' ')[5]?.startsWith('ro'))).toEqual([]);
  },
);

test.runIf(best.layers.no_new_privs)('[SBX4] every child: has no_new_privs and no capabilities', async () => {
  const pid = await waiting(best);
  expect(status(pid, 'NoNewPrivs')).toEqual(['1']);
  for (const set of ['CapEff', 'CapPrm', 'CapInh', 'CapAmb'])
    expect(status(pid, set), set).toEqual(['0000000000000000']);
  expect(status(pid, 'Seccomp')).toEqual([best.layers.seccomp ? '2' : '0']);
});

test.runIf(isRoot && best.layers.user)(
  '[SBX4] a child started by root: runs as a user and group that own nothing',
  async () => {
    const pid = await waiting(best);
    expect(status(pid, 'Uid')).toEqual(['64207', '64207', '64207', '64207']);
    expect(status(pid, 'Gid')).toEqual(['64207', '64207', '64207', '64207']);
    expect(status(pid, 'Groups')).toEqual(['']);
  },
);

test.runIf(isLinux)('[SBX6] a child: killed first when memory is short, and has kernel limits', async () => {
  const pid = await waiting(best);
  expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
  const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
  const limit = (name: string) => new RegExp(`^${name}\\s+(\\S+)`, 'm').exec(limits)?.[1];
  expect(limit('Max cpu time')).toBe('120');
  expect(limit('Max core file size')).toBe('0');
  if (findTools().prlimit === undefined) return;
  expect(limit('Max file size')).toBe('0');
  expect(limit('Max open files')).toBe('256');
  expect(limit('Max data size')).toBe(String(CAPS.maxRssBytes + 2_000_000_000));
});

test.runIf(best.layers.seccomp)('[SBX8] a killed parent process: the child ends', async () => {
  const holder = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(new URL('../../../../test/support/children/holder.ts', import.meta.url)),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void holder.kill('SIGKILL'));
  const [line] = (await once(holder.stdout.setEncoding('utf8'), 'data')) as [string];
  holder.kill('SIGKILL');
  const isThere = () => {
    try {
      process.kill(Number(line), 0);
      return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${Number(line)}/status`, 'utf8'));
    } catch {
      return false;
    }
  };
  await expect.poll(isThere, { timeout: 20_000 }).toBe(false);
});

test('[SBX12] missing required layers: the message names each and what to install', () => {
  const layers = { namespaces: true, seccomp: false, no_new_privs: true, cgroup: false, user: true };
  expect(() => refuseMissing(layers)).toThrow(/lacks seccomp .*apt-get install bubblewrap/);
  expect(() => refuseMissing({ ...layers, namespaces: false })).toThrow(/lacks namespaces and seccomp/);
  expect(() => refuseMissing({ ...layers, seccomp: true })).not.toThrow();
});

test('[SBX12] the layers in the log: active ones, then missing ones', () => {
  const layers = { namespaces: true, seccomp: false, no_new_privs: true, cgroup: false, user: true };
  expect(describeLayers(layers)).toBe('namespaces, no_new_privs, user; without seccomp, cgroup');
});
