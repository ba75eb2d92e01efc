import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { findTools } from '#fill/node/sandbox/tools.ts';
import { AttackServer } from '../support/attack-server.ts';
import type { SandboxColumn } from '../support/sandbox-table.ts';
import { ServerProcess } from '../support/server-process.ts';

const TABLE = fileURLToPath(new URL('../support/sandbox-table.ts', import.meta.url));
const ANYBODY = { uid: 64_301, gid: 64_301 };
const isRoot = process.getuid?.() === 0;
/** Whether another user can run our Node; not if it is inside a private folder. */
const othersReachUs =
  isRoot && spawnSync(process.execPath, ['--version'], { ...ANYBODY, cwd: '/' }).status === 0;

async function table(as: { uid?: number; gid?: number }): Promise<SandboxColumn[]> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', TABLE], {
    ...as,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`the table ended with ${code}`);
  return JSON.parse(text);
}

/** The probes that succeeded, by column name. */
function open(columns: readonly SandboxColumn[]): Record<string, string[]> {
  return Object.fromEntries(
    columns.map(({ name, results }) => [
      name,
      Object.entries(results).flatMap(([attempt, result]) => (result === 'done' ? [attempt] : [])),
    ]),
  );
}

function print(title: string, columns: readonly SandboxColumn[]): void {
  const attempts = Object.keys(columns[0]?.results ?? {});
  const rows = [
    ['', ...columns.map(({ name }) => name)],
    ...attempts.map((attempt) => [attempt, ...columns.map(({ results }) => results[attempt] ?? '')]),
  ];
  const lines = rows.map((row) => row.map((cell) => cell.padEnd(38)).join(' | '));
  process.stdout.write(`${title}\n${lines.join('\n')}\n`);
}

const EVERYTHING = [
  'connect to a unix socket',
  'connect by TCP',
  'open an inspector port',
  'signal another process',
  "read another process's memory",
  'read a key of the data directory',
  'read a file of the machine',
  'write a file',
  'start a program',
  'start Node again',
  'attach a debugger to another process',
  'replace itself with a shell',
];
const PAST_PERMISSION_MODEL = [
  'connect to a unix socket',
  'connect by TCP',
  'signal another process',
  'attach a debugger to another process',
];
/** Harmless attempts that succeed: a port in an unreachable network namespace, and another Node in the same sandbox. */
const PAST_NAMESPACES = ['open an inspector port', 'start Node again'];
const PAST_ANOTHER_USER = [
  'connect by TCP',
  'open an inspector port',
  'read a file of the machine',
  'start a program',
  'start Node again',
  'replace itself with a shell',
];

describe.each([
  ['root', {}, isRoot],
  ['a normal user', isRoot ? ANYBODY : {}, !isRoot || othersReachUs],
] as const)('a compromised reader, started by %s: reaches nothing outside its sandbox', (who, as, runs) => {
  let columns: SandboxColumn[] = [];
  let through: Record<string, string[]> = {};
  beforeAll(async () => {
    if (!runs) return;
    columns = await table(as);
    through = open(columns);
    print(`What a reader can do that ${who} has started:`, columns);
  }, 300_000);

  test.runIf(runs)(
    "[SBX9] without any layer: it can do everything, and Node's permission model stops files and programs",
    () => {
      expect(through['no layer']).toEqual(EVERYTHING);
      expect(through['permission model']).toEqual(PAST_PERMISSION_MODEL);
    },
  );

  test.runIf(runs)(
    '[SBX9] without namespaces: another user stops what belongs to the server, and limits stop writing',
    () => {
      const same = EVERYTHING.filter((attempt) => attempt !== 'write a file');
      expect(through['user and no_new_privs']).toEqual(who === 'root' ? PAST_ANOTHER_USER : same);
    },
  );

  test.runIf(runs)('[SBX9] with namespaces: nothing of the machine is left', ({ skip }) => {
    skip(through.namespaces === undefined, 'this machine does not permit namespaces');
    expect(through.namespaces).toEqual(PAST_NAMESPACES);
  });

  test.runIf(runs)('[SBX9] with namespaces and seccomp: every attempt fails', ({ skip }) => {
    skip(through['namespaces and seccomp'] === undefined, 'bubblewrap is not installed');
    expect(through['namespaces and seccomp']).toEqual([]);
  });
});

/** Mounts a non-executable file over bubblewrap, in a mount namespace that ends with the server. */
const WITHOUT_BUBBLEWRAP = [
  '/usr/bin/unshare',
  '--mount',
  '/bin/sh',
  '-c',
  `mount --bind /dev/null ${findTools().bwrap ?? '/usr/bin/bwrap'} && exec "$@"`,
  'sh',
];

describe('ROWPRESS_SANDBOX=require', () => {
  test('[SBX12] on a machine with every required layer: the server starts', async ({ skip }) => {
    skip(findTools().bwrap === undefined, 'bubblewrap is not installed');
    const server = await AttackServer.start({ ROWPRESS_SANDBOX: 'require' });
    try {
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    } finally {
      await server.stop();
    }
  });

  test('[SBX12] without bubblewrap: the server exits and names what is missing and what to install', async ({
    skip,
  }) => {
    skip(!isRoot, 'only root can hide a program from the server');
    const launcher = findTools().bwrap === undefined ? [] : WITHOUT_BUBBLEWRAP;
    const dataDir = await mkdtemp(join(tmpdir(), 'rowpress-require-'));
    const env = { ROWPRESS_DATA_DIR: join(dataDir, 'data'), ROWPRESS_SANDBOX: 'require' };
    await expect(ServerProcess.start(env, launcher)).rejects.toThrow(
      /ROWPRESS_SANDBOX is "require", but this machine lacks .*seccomp.*apt-get install bubblewrap/,
    );
    await rm(dataDir, { recursive: true, force: true });
  });
});
