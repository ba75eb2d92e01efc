import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { inForeground } from '#lib/foreground.ts';
import { silentLog } from '#lib/plain-log.ts';
import { checkSession } from '#storage/check-session.ts';
import { openMigratedDatabase } from '#storage/open-migrated-database.ts';
import { rowpress, rowpressJson } from '../support/cli.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type DatabasePair, freePort, startPair, until } from './database-servers.ts';

let pair: DatabasePair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());

const POSTGRES_USER = 'postgres';

async function startPooler(mode: 'transaction' | 'session', poolSize: number): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'rp-pooler-'));
  chmodSync(directory, 0o755);
  const port = await freePort();
  const file = join(directory, 'pgbouncer.ini');
  writeFileSync(join(directory, 'users.txt'), '"app" ""\n', { mode: 0o644 });
  writeFileSync(
    file,
    `[databases]
app = host=127.0.0.1 port=${pair.primary.port} dbname=app user=app
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${directory}/users.txt
pool_mode = ${mode}
default_pool_size = ${poolSize}
max_client_conn = 200
`,
    { mode: 0o644 },
  );
  // pgbouncer does not run as root.
  const asUser = process.getuid?.() === 0 ? ['-u', POSTGRES_USER] : [];
  const child = spawn('pgbouncer', [...asUser, file], { stdio: 'ignore' });
  onTestFinished(async () => {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
    rmSync(directory, { recursive: true, force: true });
  });
  const { Client } = (await import('pg')).default;
  const url = `postgres://app@127.0.0.1:${port}/app`;
  await until(async () => {
    const client = new Client(url);
    client.on('error', () => {});
    const reached = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    return reached;
  });
  return url;
}

const dataDir = () => {
  const directory = mkdtempSync(join(tmpdir(), 'rp-behind-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

const locks = () => pair.primary.ask(`select pid from pg_locks where locktype = 'advisory'`);

test.each([20, 1])(
  '[STO50] a transaction pooler with %i connections and no direct address: refused, the message names the setting, and no lock stays',
  async (poolSize) => {
    const url = await startPooler('transaction', poolSize);
    await expect(checkSession({ url })).rejects.toThrow(/ROWPRESS_DATABASE_DIRECT_URL/);
    const { code, stderr } = await rowpress(['migrate'], { DATABASE_URL: url, ROWPRESS_DATA_DIR: dataDir() });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/transaction mode.*ROWPRESS_DATABASE_DIRECT_URL/),
    ]);
    const serve = ServerProcess.start({ DATABASE_URL: url, ROWPRESS_DATA_DIR: dataDir() });
    await expect(serve).rejects.toThrow(/ROWPRESS_DATABASE_DIRECT_URL/);
    expect(await locks()).toEqual([]);
  },
);

test.each([20, 1])('[STO50] a session pooler with %i connections: accepted', async (poolSize) => {
  await checkSession({ url: await startPooler('session', poolSize) });
});

test('[STO51] [STO58] a transaction pooler with a direct address: later starts work, and statements have their limits', async () => {
  const url = await startPooler('transaction', 20);
  const env = {
    DATABASE_URL: url,
    ROWPRESS_DATABASE_DIRECT_URL: pair.primary.url,
    ROWPRESS_DATA_DIR: dataDir(),
  };
  for (const start of [1, 2]) {
    const server = await ServerProcess.start(env);
    expect([start, (await fetch(`${server.url}/readyz`)).status]).toEqual([start, 200]);
    await server.stop();
  }
  const made = await rowpressJson<{ key: string }>(
    ['keys', 'create', '--surface', 'bulkfill', '--account', 'demo'],
    env,
  );
  expect(made.key).toEqual(expect.any(String));
  const opened = await openMigratedDatabase(
    {
      dataDir: env.ROWPRESS_DATA_DIR,
      databaseUrl: url,
      databaseDirectUrl: pair.primary.url,
      databasePool: 4,
    },
    silentLog,
  );
  const { database } = opened;
  onTestFinished(() => opened.close());
  const limitOf = async () =>
    (await database.pool.query<{ s: string }>(`select current_setting('statement_timeout') as s`)).rows[0]?.s;
  const within = await inForeground(() =>
    database.db.transaction().execute(async (tx) => {
      const client = await database.clientOf(tx);
      return (await client.query<{ s: string }>(`select current_setting('statement_timeout') as s`)).rows[0]
        ?.s;
    }),
  );
  expect([within, await limitOf()]).toEqual(['9s', '0']);
});
