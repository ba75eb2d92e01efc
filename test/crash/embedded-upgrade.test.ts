import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultPoints } from '#lib/fault-points.ts';
import { silentLog } from '#lib/plain-log.ts';
import type { EmbeddedAddress } from '#storage/embedded/embedded-postgres.ts';
import { takePlace } from '#storage/embedded/place.ts';
import { EmbeddedOwner, query, removeDataDir, temporaryDataDir } from '../support/embedded-owner.ts';
import { makeOldCluster, startOldServer } from '../support/old-cluster.ts';

let template: string;
beforeAll(async () => {
  const dir = mkdtempSync('/tmp/rp-embedded-');
  chmodSync(dir, 0o755);
  template = join(dir, 'data');
  await makeOldCluster(template);
});
afterAll(() => removeDataDir(template));

const old = () => temporaryDataDir({ template });
const ready = (dataDir: string, mode: 'own' | 'borrow' = 'own') => new EmbeddedOwner(mode, dataDir).ready();

/** Returns the error code of a login attempt, or "in" if it succeeds. */
async function logIn(host: string, user: string, password?: string): Promise<string> {
  const client = new pg.Client({ host, user, database: 'postgres', ...(password && { password }) });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return 'in';
  } catch (error) {
    return (error as { code?: string }).code ?? (error as Error).message;
  }
}

async function expectSecured(address: EmbeddedAddress): Promise<void> {
  const wrong = await Promise.all(
    ['rowpress', 'rowpress_server'].map((user) => logIn(address.host, user, 'x')),
  );
  expect(wrong).toEqual(['28P01', '28P01']);
  expect(await logIn(address.host, 'rowpress')).toMatch(/password/);
  const [me] = await query(
    address,
    'select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user',
  );
  expect(me).toEqual({ rolsuper: false, rolcreaterole: false, rolcreatedb: false });
}

const STILL_OWNED = `
  select kind, name from (
    select 'relation' as kind, oid::regclass::text as name, relowner as owner, relnamespace as space from pg_class
    union all select 'routine', oid::regprocedure::text, proowner, pronamespace from pg_proc
    union all select 'type', oid::regtype::text, typowner, typnamespace from pg_type
    union all select 'schema', nspname, nspowner, oid from pg_namespace
    union all select 'database', datname, datdba, 'public'::regnamespace from pg_database where datname = 'rowpress'
  ) o join pg_namespace n on n.oid = space
  where owner = 'rowpress'::regrole and nspname !~ '^pg_' and nspname <> 'information_schema'`;

test('[STO34] a new database: the server is not a superuser, and the socket needs the password of a 0600 file', async () => {
  const dataDir = temporaryDataDir();
  const { address } = await ready(dataDir);
  await expectSecured(address);
  const file = join(dataDir, 'database.key');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(address.password).toBe(readFileSync(file, 'utf8').trim());
  await expect(query(address, `select pg_read_file('/etc/passwd')`)).rejects.toThrow(/permission denied/);
  await expect(query(address, `copy (select 1) to program 'true'`)).rejects.toThrow(/permission denied/);
});

test('[STO35] a database of an earlier release: start hands everything to the new role and requires the password', async () => {
  const { address } = await ready(old());
  await expectSecured(address);
  expect(await query(address, STILL_OWNED)).toEqual([]);
  expect(await query(address, 'select id, n from other.t')).toEqual([{ id: 1, n: 1 }]);
  await query(address, 'insert into other.t default values');
  await query(address, 'drop schema other cascade');
});

test.each(faultPoints.filter((point) => point.startsWith('embedded.')))(
  '[STO35] killed at %s of the upgrade: the next start completes it',
  async (point) => {
    const dataDir = old();
    const killed = new EmbeddedOwner('own', dataDir, {}, point);
    await expect(killed.ready()).rejects.toThrow(/ended without it/);
    const { address } = await ready(dataDir);
    await expectSecured(address);
    expect(await query(address, STILL_OWNED)).toEqual([]);
  },
);

test('[STO35] a command and a server that upgrade one database at the same moment: both work', async () => {
  const dataDir = old();
  const [server, command] = await Promise.all([ready(dataDir), ready(dataDir, 'borrow')]);
  await expectSecured(server.address);
  expect(command.address).toEqual(server.address);
  expect(await query(command.address, STILL_OWNED)).toEqual([]);
});

test('[STO35] the lock file of another process that is just starting: waits for it while it is empty', async () => {
  const dataDir = temporaryDataDir();
  const first = new EmbeddedOwner('own', dataDir);
  await first.ready();
  await first.terminate();
  const lock = join(dataDir, 'postgres/cluster/postmaster.pid');
  writeFileSync(lock, '');
  const second = new EmbeddedOwner('own', dataDir);
  setTimeout(() => rmSync(lock, { force: true }), 1_500);
  await expectSecured((await second.ready()).address);
});

test('[STO36] a process of an earlier release is still connected: it keeps its access until it ends', async () => {
  const dataDir = old();
  const server = startOldServer(takePlace(dataDir, silentLog));
  const host = await server.ready();
  const holder = new pg.Client({
    host,
    user: 'rowpress',
    database: 'postgres',
    application_name: 'rowpress server 1',
  });
  holder.on('error', () => {});
  await holder.connect();
  const command = new EmbeddedOwner('borrow', dataDir);
  const { address } = await command.ready();
  await command.logged(/stays open without a password until "rowpress server 1"/);
  expect(await query(address, 'select 1 as n')).toEqual([{ n: 1 }]);
  expect(await logIn(host, 'rowpress')).toBe('in');
  await holder.end();
  await expectSecured((await ready(dataDir)).address);
  await command.terminate();
});

test('[STO37] a lost or wrong password file: the start is refused and says how to set a new password', async () => {
  const dataDir = old();
  const first = new EmbeddedOwner('own', dataDir);
  await first.ready();
  await first.terminate();
  writeFileSync(join(dataDir, 'database.key'), `${'0'.repeat(64)}\n`);
  const { message } = await new EmbeddedOwner('own', dataDir).failed();
  expect(message).toContain('database.key');
  const rules = join(dataDir, 'postgres/cluster/pg_hba.conf');
  expect(message).toContain(rules);
  // Follow the advice in the message.
  writeFileSync(rules, 'local all all trust\n');
  execFileSync('kill', [
    '-INT',
    readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0] ?? '',
  ]);
  await expect.poll(() => existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false);
  await expectSecured((await ready(dataDir)).address);
});
