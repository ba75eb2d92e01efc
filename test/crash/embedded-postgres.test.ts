import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  EmbeddedOwner,
  ended,
  makeTemplate,
  query,
  removeDataDir,
  serverPid,
  temporaryDataDir,
  uidOf,
} from '../support/embedded-owner.ts';

let template: string;
beforeAll(async () => {
  template = await makeTemplate();
});
afterAll(() => removeDataDir(template));

const used = () => temporaryDataDir({ template });
const isRoot = process.getuid?.() === 0;

const started = async (mode: 'own' | 'durable' | 'borrow', dataDir: string) => {
  const owner = new EmbeddedOwner(mode, dataDir);
  const ready = await owner.ready();
  const pid = serverPid(ready.directory);
  if (pid === undefined) throw new Error('no server runs');
  return { owner, pid, ...ready };
};

test('[STO1] [STO3] the embedded database: listens on a private unix socket only, and syncs every commit', async () => {
  const { owner, address, directory } = await started('durable', temporaryDataDir());
  const names = ['listen_addresses', 'fsync', 'synchronous_commit', 'full_page_writes', 'max_connections'];
  const rows = await query<{ name: string; setting: string }>(
    address,
    `select name, setting from pg_settings where name in ('${names.join("','")}')`,
  );
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    listen_addresses: '',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    max_connections: '200',
  });
  expect(address.host).toBe(join(directory, 'run'));
  expect(statSync(address.host).mode & 0o777).toBe(0o700);
  expect(await owner.terminate()).toBe(0);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '[STO8] after %s no process is left, and the next start needs no recovery',
  async (signal) => {
    const dataDir = used();
    const first = await started('own', dataDir);
    expect(await first.owner.terminate(signal)).toBe(0);
    await ended(first.pid);
    expect(serverPid(first.directory)).toBeUndefined();
    const second = await started('own', dataDir);
    expect(second.adopted).toBe(false);
    expect(readFileSync(join(second.directory, 'postgres.log'), 'utf8')).not.toContain('recovery');
  },
);

test('[STO6] kill -9 of the owner: the database keeps running, and the next start adopts it', async () => {
  const dataDir = used();
  const first = await started('own', dataDir);
  await query(first.address, 'create table t as select 1 as n');
  await first.owner.kill();
  const second = await started('own', dataDir);
  expect(second).toMatchObject({ adopted: true, pid: first.pid });
  expect(await query(second.address, 'select n from t')).toEqual([{ n: 1 }]);
  expect(await second.owner.terminate()).toBe(0);
  await ended(first.pid);
});

test('[STO3] [STO6] kill -9 of owner and database: the next start recovers what was committed', async () => {
  const dataDir = used();
  const first = await started('durable', dataDir);
  await query(first.address, 'create table t as select 1 as n');
  await first.owner.kill();
  process.kill(first.pid, 'SIGKILL');
  const second = await started('durable', dataDir);
  expect(second.adopted).toBe(false);
  expect(await query(second.address, 'select n from t')).toEqual([{ n: 1 }]);
});

test('[STO6] another process with the pid of a killed database: the next start ignores it', async () => {
  const dataDir = used();
  const first = await started('own', dataDir);
  const { uid, gid } = statSync(join(first.directory, 'cluster'));
  await first.owner.kill();
  process.kill(first.pid, 'SIGKILL');
  await ended(first.pid);
  const stranger = spawn('sleep', ['600'], { uid, gid, cwd: '/', stdio: 'ignore' });
  onTestFinished(() => void stranger.kill('SIGKILL'));
  await once(stranger, 'spawn');
  const file = join(first.directory, 'cluster/postmaster.pid');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(stranger.pid)));
  const second = await started('own', dataDir);
  expect(second.pid).not.toBe(stranger.pid);
  expect(stranger.exitCode).toBeNull();
});

test('[STO7] a database that is killed several times: restarted each time', async () => {
  const { owner, address, directory } = await started('own', used());
  await query(address, 'create table t as select 1 as n');
  for (let n = 1; n <= 3; n += 1) {
    const pid = serverPid(directory);
    if (pid === undefined) throw new Error('no server runs');
    process.kill(pid, 'SIGKILL');
    await owner.logged(/restarted the embedded PostgreSQL/, n);
    expect(await query(address, 'select n from t')).toEqual([{ n: 1 }]);
  }
  expect(await owner.terminate()).toBe(0);
  expect(serverPid(directory)).toBeUndefined();
});

test('[STO7] one database process is killed: PostgreSQL restarts itself and the owner stays', async () => {
  const dataDir = used();
  const { owner, address, pid, directory } = await started('own', dataDir);
  const [backend] = await query<{ pid: number }>(
    address,
    `select pid from pg_stat_activity where application_name like 'rowpress server%'`,
  );
  if (backend === undefined) throw new Error('the owner has no connection');
  process.kill(backend.pid, 'SIGKILL');
  await owner.logged(/restarted the embedded PostgreSQL/);
  expect(serverPid(directory)).toBe(pid);
  const second = new EmbeddedOwner('own', dataDir);
  expect((await second.failed()).message).toContain(`pid ${owner.child.pid}`);
});

test('[STO4] a second owner: refused with the pid of the first, which keeps running', async () => {
  const dataDir = used();
  const first = await started('own', dataDir);
  const second = new EmbeddedOwner('own', dataDir);
  const { message } = await second.failed();
  expect(message).toContain(
    `Another Rowpress (pid ${first.owner.child.pid}) owns the data directory ${dataDir}`,
  );
  expect(await query(first.address, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('[STO4] [STO9] two first starts at the same moment: one owns the directory', async () => {
  const dataDir = temporaryDataDir();
  const owners = [new EmbeddedOwner('own', dataDir), new EmbeddedOwner('own', dataDir)];
  const messages = await Promise.all(
    owners.map((owner) =>
      owner.waitFor(
        (message): message is typeof message => message.event === 'ready' || message.event === 'failed',
      ),
    ),
  );
  expect(messages.map(({ event }) => event).sort()).toEqual(['failed', 'ready']);
  expect(readdirSync(join(dataDir, 'postgres')).filter((name) => name.includes('new'))).toEqual([]);
});

test('[STO9] a first start that was killed: the next start succeeds', async () => {
  const dataDir = temporaryDataDir();
  const first = new EmbeddedOwner('own', dataDir);
  await first.logged(/creating a PostgreSQL/);
  const unfinished = () => readdirSync(join(dataDir, 'postgres')).filter((name) => name.includes('new'));
  await expect.poll(unfinished, { interval: 2 }).toHaveLength(1);
  await first.kill();
  expect(unfinished()).toHaveLength(1);
  const second = await started('own', dataDir);
  expect(unfinished()).toEqual([]);
  expect(await query(second.address, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('[STO5] a command without a running server: starts the database and stops it afterwards', async () => {
  const dataDir = used();
  const command = await started('borrow', dataDir);
  expect(await query(command.address, 'select 1 as n')).toEqual([{ n: 1 }]);
  expect(await command.owner.terminate()).toBe(0);
  await ended(command.pid);
  expect(serverPid(command.directory)).toBeUndefined();
});

test('[STO5] a command beside a running server: uses its database and leaves it running', async () => {
  const dataDir = used();
  const server = await started('own', dataDir);
  const command = await started('borrow', dataDir);
  expect(command.pid).toBe(server.pid);
  expect(await command.owner.terminate()).toBe(0);
  expect(await query(server.address, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('[STO5] last one out: the database outlives the server while a command works, and no longer', async () => {
  const dataDir = used();
  const server = await started('own', dataDir);
  const command = await started('borrow', dataDir);
  expect(await server.owner.terminate()).toBe(0);
  expect(await query(command.address, 'select 1 as n')).toEqual([{ n: 1 }]);
  expect(await command.owner.terminate()).toBe(0);
  await ended(server.pid);
});

test('[STO5] a server that starts while a command runs: takes over its database', async () => {
  const dataDir = used();
  const command = await started('borrow', dataDir);
  const server = await started('own', dataDir);
  expect(server.pid).toBe(command.pid);
  expect(await command.owner.terminate()).toBe(0);
  expect(await query(server.address, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('[STO11] a database of another major version: refused, with what to do', async () => {
  const dataDir = used();
  const first = await started('own', dataDir);
  await first.owner.terminate();
  writeFileSync(join(first.directory, 'cluster/PG_VERSION'), '17\n');
  const { message } = await new EmbeddedOwner('own', dataDir).failed();
  expect(message).toContain('created by PostgreSQL 17');
  expect(message).toContain('rowpress export');
  expect(message).toContain('rowpress import');
});

test('[STO12] a data directory with a path too long for a socket: works', async () => {
  const dataDir = join(dirname(temporaryDataDir()), 'd'.repeat(100), 'data');
  const first = await started('own', dataDir);
  onTestFinished(async () => {
    await removeDataDir(dataDir);
    rmSync(first.address.host, { recursive: true, force: true });
  });
  expect(Buffer.byteLength(join(first.address.host, '.s.PGSQL.5432'))).toBeLessThanOrEqual(103);
  expect(statSync(first.address.host).mode & 0o777).toBe(0o700);
  expect(await query(first.address, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test.runIf(isRoot)('[STO2] a start by root: the database runs as an unprivileged user', async () => {
  const { pid, directory } = await started('own', used());
  const { uid } = statSync(join(directory, 'cluster'));
  expect(uid).toBeGreaterThan(0);
  expect(uidOf(pid)).toBe(uid);
});

const nobody = { uid: 65_534, gid: 65_534 };
const nobodyReachesUs =
  isRoot && spawnSync(process.execPath, ['--version'], { ...nobody, cwd: '/' }).status === 0;

test.runIf(nobodyReachesUs)(
  '[STO2] a start by an unprivileged user: the database runs as that user',
  async () => {
    const dataDir = temporaryDataDir();
    chownSync(dirname(dataDir), nobody.uid, nobody.gid);
    const owner = new EmbeddedOwner('own', dataDir, nobody);
    const { directory, address } = await owner.ready();
    expect(directory).toBe(join(dataDir, 'postgres'));
    expect(uidOf(serverPid(directory) ?? 0)).toBe(nobody.uid);
    expect(await query(address, 'select 1 as n')).toEqual([{ n: 1 }]);
    // root may use the database too, and its owner does not change
    const command = await started('borrow', dataDir);
    expect(uidOf(command.pid)).toBe(nobody.uid);
    expect(await command.owner.terminate()).toBe(0);
    expect(await owner.terminate()).toBe(0);
  },
);

test.runIf(nobodyReachesUs)('[STO2] a database of another user: refused with the reason', async () => {
  const dataDir = used();
  chmodSync(dataDir, 0o777);
  const stranger = { uid: 64_321, gid: 64_321 };
  const { message } = await new EmbeddedOwner('own', dataDir, stranger).failed();
  const { uid } = statSync(join(dataDir, 'postgres/cluster'));
  expect(message).toContain(`belongs to user ${uid}; the current user is 64321`);
});

test.runIf(isRoot)(
  '[STO10] a data directory closed to that user: the database goes to /var/lib/rowpress',
  async () => {
    const dataDir = temporaryDataDir({ mode: 0o700 });
    const owners = [new EmbeddedOwner('own', dataDir), new EmbeddedOwner('own', dataDir)];
    const messages = await Promise.all(
      owners.map((owner) =>
        owner.waitFor(
          (message): message is typeof message => message.event === 'ready' || message.event === 'failed',
        ),
      ),
    );
    expect(messages.map(({ event }) => event).sort()).toEqual(['failed', 'ready']);
    const winner = owners.find((owner) => owner.messages.some(({ event }) => event === 'ready'));
    if (winner === undefined) throw new Error('nobody won');
    const { directory, address } = await winner.ready();
    expect(directory).toMatch(/^\/var\/lib\/rowpress\/[0-9a-f]{10}$/);
    // Logged by the first process to start, which is not necessarily the one that owns the database.
    await Promise.any(owners.map((owner) => owner.logged(/is closed to the database user/)));
    await query(address, 'create table t as select 1 as n');
    await winner.terminate();
    const command = await started('borrow', dataDir);
    expect(command.directory).toBe(directory);
    expect(await query(command.address, 'select n from t')).toEqual([{ n: 1 }]);
  },
);
