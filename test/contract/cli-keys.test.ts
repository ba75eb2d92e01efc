import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { commandCatalogue } from '#cli/command-codes.ts';
import { VERSION } from '#lib/version.ts';
import { databaseUrl, ROWPRESS, rowpress, rowpressJson } from '../support/cli.ts';
import { createDatabase } from '../support/database.ts';
import { serverPid, temporaryDataDir } from '../support/embedded-owner.ts';

interface Created {
  key: string;
  id: string;
  account: string;
  expires_at: string | null;
}

/** Waits until a started server reports that it is ready, in any of its output formats. */
async function heard(stream: Readable): Promise<void> {
  for await (const line of createInterface(stream)) if (/ready|listening|https?:\/\//i.test(line)) return;
  throw new Error('the server ended before it was ready');
}

const onDatabase = async () => ({ DATABASE_URL: databaseUrl(await createDatabase()) });

test('[KEY11] the commands for keys and accounts: create, list, revoke and change them', async () => {
  const env = await onDatabase();
  const args = ['keys', 'create', '--surface', 'bulkfill', '--account', 'demo'];
  const made = await rowpressJson<Created>([...args, '--days', '90'], env);
  expect(made).toMatchObject({ account: 'demo', surface: 'bulkfill', partner: null, warehouses: null });
  expect(made.key).toContain(`doqlo_bfexp_${made.id}.`);
  const plain = await rowpress(args, env);
  expect(plain.stdout).toMatch(/^doqlo_bfexp_\w+\.\w+\n$/);

  expect(await rowpressJson(['keys', 'revoke', made.id], env)).toMatchObject({ id: made.id, changed: true });
  expect(await rowpressJson(['keys', 'revoke', made.id], env)).toMatchObject({ changed: false });
  const { keys } = await rowpressJson<{ keys: object[] }>(['keys', 'list', '--account', 'demo'], env);
  expect(keys).toHaveLength(2);
  expect(keys).toContainEqual(expect.objectContaining({ id: made.id, state: 'revoked' }));
  expect(JSON.stringify(keys)).not.toContain(made.key.split('.')[1]);

  const set = ['accounts', 'set', 'demo', '--plan', 'free', '--active', 'false'];
  expect(await rowpressJson(set, env)).toMatchObject({ name: 'demo', plan: 'free', active: false });
  expect(await rowpressJson(['accounts', 'list'], env)).toMatchObject({
    accounts: [{ name: 'demo', plan: 'free', active: false }],
  });
});

test('[KEY23] keys rotate: prints the successor and when the old key ends; a key that cannot be rotated: a code', async () => {
  const env = await onDatabase();
  const create = ['keys', 'create', '--surface', 'bulkfill', '--account', 'demo', '--ip', '10.0.0.0/8, ::1'];
  const made = await rowpressJson<Created>([...create, '--read', 'ingest'], env);
  const next = await rowpressJson<Created & { replaces: { id: string; expires_at: string } }>(
    ['keys', 'rotate', made.id, '--overlap-hours', '2'],
    env,
  );
  expect(next).toMatchObject({
    account: 'demo',
    scopes: ['read:ingest'],
    ip_ranges: ['10.0.0.0/8', '::1/128'],
  });
  expect(next.key).toContain(`doqlo_bfexp_${next.id}.`);
  expect(next.replaces.id).toBe(made.id);
  const left = new Date(next.replaces.expires_at).getTime() - Date.now();
  expect(left).toBeGreaterThan(3_600_000);
  expect(left).toBeLessThanOrEqual(7_200_000);
  const fail = async (...args: string[]) => {
    const { code, stdout } = await rowpress(['keys', 'rotate', ...args, '--json'], env);
    return [code, code === 1 && JSON.parse(stdout).code];
  };
  expect(await fail(next.id)).toEqual([1, 'KEY_IN_ROTATION']);
  expect(await fail('nothing')).toEqual([1, 'KEY_NOT_FOUND']);
  expect((await fail(next.id, '--overlap-hours', '721'))[0]).toBe(2);
  await rowpressJson(['keys', 'revoke', next.id], env);
  expect(await fail(next.id)).toEqual([1, 'KEY_NOT_LIVE']);
});

test('[KEY24] --ip with something that is not a range: exit code 2', async () => {
  const create = ['keys', 'create', '--surface', 'ingest', '--account', 'demo', '--json'];
  for (const wrong of ['10.0.0.0/33', 'example.com', ','])
    expect((await rowpress([...create, '--ip', wrong], {})).code).toBe(2);
});

test('[KEY26] ROWPRESS_INGEST_KEY_DAYS: sets the default; another value stops the command', async () => {
  const env = await onDatabase();
  const create = ['keys', 'create', '--surface', 'ingest', '--account', 'demo'];
  const made = await rowpressJson<Created>(create, { ...env, ROWPRESS_INGEST_KEY_DAYS: '90' });
  const days = (new Date(made.expires_at ?? 0).getTime() - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(90);
  expect((await rowpressJson<Created>(create, env)).expires_at).toBeNull();
  expect((await rowpress(create, { ...env, ROWPRESS_INGEST_KEY_DAYS: '31' })).code).toBe(2);
});

test('[KEY20] --read with another surface, or naming one that has no rows: exit code 2', async () => {
  const create = ['keys', 'create', '--account', 'demo', '--json'];
  for (const wrong of [
    ['--surface', 'ingest', '--read', 'ingest'],
    ['--surface', 'bulkfill', '--read', 'bulkfill'],
    ['--surface', 'bulkfill', '--read', 'subscribers,everything'],
  ])
    expect((await rowpress([...create, ...wrong], {})).code).toBe(2);
});

test('[KEY6] [KEY11] the sixth live Bulk Fill key: exit code 1 and a code', async () => {
  const env = await onDatabase();
  const args = ['keys', 'create', '--surface', 'bulkfill', '--account', 'demo', '--json'];
  for (let n = 1; n <= 5; n += 1) expect((await rowpress(args, env)).code).toBe(0);
  const { code, stdout } = await rowpress(args, env);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ code: 'TOO_MANY_KEYS' });
});

test.each([
  ['an unknown command', ['frobnicate']],
  ['no command', []],
  ['an unknown key command', ['keys', 'frobnicate']],
  ['an unknown option', ['keys', 'list', '--frobnicate']],
  ['no surface', ['keys', 'create', '--account', 'a']],
  ['an unknown surface', ['keys', 'create', '--account', 'a', '--surface', 'x']],
  ['another lifetime', ['keys', 'create', '--account', 'a', '--surface', 'bulkfill', '--days', '31']],
  ['an unknown scope', ['keys', 'create', '--account', 'a', '--surface', 'subscribers', '--scopes', 'x']],
  ['a partner elsewhere', ['keys', 'create', '--account', 'a', '--surface', 'bulkfill', '--partner', 'p']],
  ['a blank account', ['keys', 'create', '--account', ' ', '--surface', 'bulkfill']],
  ['an unknown plan', ['accounts', 'set', 'a', '--plan', 'x']],
  ['nothing to set', ['accounts', 'set', 'a']],
])('[KEY11] wrong usage is exit code 2 and touches nothing: %s', async (_, args) => {
  // The database does not exist: connecting to it would be exit code 1.
  const { code, stdout, stderr } = await rowpress(args, { DATABASE_URL: 'postgresql://127.0.0.1:1/none' });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).not.toBe('');
});

test('several bad settings: all are named, exit code 2', async () => {
  const env = { PORT: 'x', ROWPRESS_ROLE: 'z', ROWPRESS_WORKERS: '0', ROWPRESS_SECRET_KEY: 'tiny-secret' };
  for (const args of [['config'], ['keys', 'list'], ['serve'], ['doctor']]) {
    const { code, stderr } = await rowpress(args, env);
    expect(code).toBe(2);
    for (const name of Object.keys(env)) expect(stderr).toContain(name);
    expect(stderr).not.toContain('tiny-secret');
  }
});

test('[OPS8] a reader that closes the pipe early: not a failure', async () => {
  const command = spawn(ROWPRESS, ['config'], { stdio: ['ignore', 'pipe', 'pipe'] });
  command.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(command.stderr), once(command, 'exit')]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

const NOWHERE = { DATABASE_URL: 'postgresql://127.0.0.1:1/none' };

test.each([
  ['a wrong option', ['keys', 'list', '--colour'], NOWHERE, 'USAGE', 2],
  ['a command that is not known', ['press'], NOWHERE, 'USAGE', 2],
  ['a file that is not there', ['layout', 'inspect', 'none.doqlo'], NOWHERE, 'USAGE', 2],
  [
    'a value that is refused',
    ['fill', '--pdf', 'a', '--layout', 'b', '--rows', 'c', '--threads', '0'],
    {},
    'USAGE',
    2,
  ],
  ['a bad setting', ['keys', 'list'], { PORT: 'seven' }, 'BAD_CONFIGURATION', 2],
  ['no database', ['keys', 'list'], NOWHERE, 'OPERATOR_NEEDED', 1],
  [
    'a data directory in place of a file',
    ['layout', 'inspect', 'package.json'],
    { ROWPRESS_DATA_DIR: 'README.md' },
    'OPERATOR_NEEDED',
    1,
  ],
] as const)(
  '[OPS9] with --json a failure is one object with a code: %s',
  async (_, args, env, code, exit) => {
    const { stdout, stderr, ...ended } = await rowpress([...args, '--json'], env);
    expect(JSON.parse(stdout)).toEqual({ code, message: expect.not.stringMatching(/^error:|^$/) });
    expect(ended.code).toBe(exit);
    expect(stderr).not.toBe('');
    expect(commandCatalogue[code].exit).toBe(exit);
  },
);

test('[OPS9] --help and --version: exit code 0', async () => {
  const version = await rowpress(['--version']);
  expect([version.code, version.stdout]).toEqual([0, `${VERSION}\n`]);
  const { code, stdout } = await rowpress(['keys', '--help', '--json'], NOWHERE);
  expect(code).toBe(0);
  expect(stdout).toContain('Usage: rowpress keys');
});

test('a database that cannot be reached: a clear message and exit code 1', async () => {
  const { code, stderr } = await rowpress(['keys', 'list'], {
    DATABASE_URL: 'postgresql://127.0.0.1:1/none',
  });
  expect(code).toBe(1);
  expect(stderr).toContain('Cannot connect to the database');
  expect(stderr).not.toContain('    at ');
});

test('[STO4] [STO5] [KEY11] commands while the server runs and after it stopped: use the same database', async () => {
  const env = { ROWPRESS_DATA_DIR: temporaryDataDir(), PORT: '0' };
  const create = ['keys', 'create', '--surface', 'ingest', '--account', 'demo'];
  await rowpressJson(['migrate'], env);
  const before = await rowpressJson<Created>(create, env);

  const server = spawn(ROWPRESS, ['serve'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  await Promise.race([heard(server.stdout), heard(server.stderr)]);
  const during = await rowpressJson<Created>(create, env);
  const second = await rowpress(['serve'], env);
  expect(second.code).toBe(1);
  expect(second.stdout + second.stderr).toContain(`pid ${server.pid}`);
  const gone = once(server, 'exit');
  server.kill('SIGTERM');
  expect(await gone).toEqual([0, null]);

  const { keys } = await rowpressJson<{ keys: { id: string }[] }>(['keys', 'list'], env);
  expect(keys.map(({ id }) => id)).toEqual([during.id, before.id]);
});

test('[STO8] a start whose port is taken: says why, exits with 1 and leaves no database running', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  onTestFinished(() => void squatter.close());
  const { port } = squatter.address() as AddressInfo;
  const dataDir = temporaryDataDir();
  const { code, stderr } = await rowpress(['serve'], { ROWPRESS_DATA_DIR: dataDir, PORT: String(port) });
  expect(code).toBe(1);
  expect(stderr).toContain(`Port ${port} on 127.0.0.1 is taken`);
  expect(serverPid(join(dataDir, 'postgres'))).toBeUndefined();
});
