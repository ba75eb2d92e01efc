import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readMigrationState } from '#storage/migrate.ts';
import { openMigratedDatabase } from '#storage/open-migrated-database.ts';
import { BulkfillClient, goodRows, rowsJson } from '../support/bulkfill-client.ts';
import { letterPdf, nameLayout, SEAL_KEY, seal } from '../support/bulkfill-server.ts';
import { rowpress, rowpressJson } from '../support/cli.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type DatabasePair, startPair, until } from './database-servers.ts';
import { MachineDelay } from './support/machine-delay.ts';

let pair: DatabasePair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());

/** More than the pool has connections. */
const WRITERS = 24;
const NO_HANG_MS = 15_000;
const NOT_READY_MS = 10_000;

async function startServer() {
  const root = mkdtempSync(join(tmpdir(), 'rp-requests-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const env = {
    DATABASE_URL: `postgres://app@127.0.0.1:${pair.primary.port},127.0.0.1:${pair.standby.port}/app?target_session_attrs=read-write`,
    ROWPRESS_DATA_DIR: root,
    ROWPRESS_SYNC_WAIT_MS: '0',
    ROWPRESS_SEAL_KEY: Buffer.from(SEAL_KEY).toString('hex'),
  };
  const server = await ServerProcess.start(env);
  onTestFinished(() => server.stop());
  const { id, key } = await rowpressJson<{ id: string; key: string }>(
    ['keys', 'create', '--surface', 'bulkfill', '--account', 'demo'],
    env,
  );
  const client = new BulkfillClient(
    server,
    { name: 'demo', id, keyId: id, key },
    {
      pdf: letterPdf,
      doqlo_file: await seal(nameLayout, letterPdf),
      rows_json: rowsJson(goodRows(1)),
      max_failed_row_percent: '0',
    },
  );
  const ready = async () => (await fetch(`${server.url}/readyz`)).status === 200;
  return { env, client, ready, url: server.url };
}

test('[STO59] the only server is a standby: the start is refused, and the message says so', async () => {
  const env = { DATABASE_URL: pair.standby.url, ROWPRESS_DATA_DIR: join(pair.directory, 'nothing') };
  const { code, stderr } = await rowpress(['migrate'], env);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/read-only: it is a standby.*HOST1,HOST2/)]);
});

test('[STO59] a proxy leads to the standby until it has checked its servers: the start waits for the primary', async () => {
  let connections = 0;
  const proxy = createServer((client) => {
    connections += 1;
    // The fourth is the second connection of the migrations; the next two belong to the second try.
    const { port } = connections >= 4 && connections <= 6 ? pair.standby : pair.primary;
    const upstream = connect(port, '127.0.0.1');
    client.on('error', () => {}).on('close', () => upstream.destroy());
    upstream.on('error', () => {}).on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  const root = mkdtempSync(join(tmpdir(), 'rp-proxy-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const warnings: string[] = [];
  const { port } = proxy.address() as AddressInfo;
  const settings = {
    dataDir: root,
    databaseUrl: `postgres://app@127.0.0.1:${port}/app`,
    databaseDirectUrl: undefined,
    databasePool: 2,
  };
  const opened = await openMigratedDatabase(settings, {
    info: () => {},
    warn: (message) => warnings.push(message),
  });
  onTestFinished(() => opened.close());
  expect((await readMigrationState(opened.database.db)).pending).toEqual([]);
  expect(warnings[0]).toContain('read-only');
  expect(connections).toBeGreaterThan(6);
});

test('[STO52] [STO53] [STO57] [STO58] requests while the standby is lost, when it returns, and after a failover: nothing is acknowledged and lost, nothing happens twice', async () => {
  const { env, client, ready, url } = await startServer();
  await pair.primary.waitForStandbys('two');
  const first = await client.create({}, { key: 'first' });
  expect(first.status).toBe(202);
  const list = async () => {
    const { status, body } = await client.request<{ data: unknown[] }>('/v1/bulkfill/export-jobs?limit=100');
    return [status, body.data?.length];
  };
  const doctor = async () => {
    const { stdout } = await rowpress(['doctor', '--json'], env);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; detail: string }[] };
    return checks.find(({ name }) => name === 'replication');
  };
  expect(await doctor()).toMatchObject({
    state: 'ok',
    detail: expect.stringMatching(/^synchronous, 1 standby connected/),
  });

  const delay = new MachineDelay([url]);
  onTestFinished(() => delay.stop());
  await pair.standby.kill();
  const keys = Array.from({ length: WRITERS }, (_, n) => `key-${n}`);
  const createAll = () =>
    Promise.all(
      keys.map(async (key) => {
        const began = performance.now();
        const { status } = await client.create({}, { key });
        return { status, ms: performance.now() - began };
      }),
    );
  const lost = performance.now();
  const unready = until(async () => !(await ready())).then(() => performance.now() - lost);
  const stuck = await createAll();
  expect(stuck.map(({ status }) => status)).toEqual(keys.map(() => 503));
  const longest = Math.round(Math.max(...stuck.map(({ ms }) => ms)));
  const unreadyMs = Math.round(await unready);
  console.info(`longest request while the standby was lost: ${longest} ms, not ready after: ${unreadyMs} ms`);
  console.info(`of this by the machine: ${Math.round(delay.ms)} ms at most`);
  expect(longest - delay.ms).toBeLessThan(NO_HANG_MS);
  expect(unreadyMs - delay.ms).toBeLessThan(NOT_READY_MS);
  expect(await list()).toEqual([200, 1]);
  const rejected = await createAll();
  expect(rejected.map(({ status }) => status)).toEqual(keys.map(() => 503));
  console.info(`longest rejected request: ${Math.round(Math.max(...rejected.map(({ ms }) => ms)))} ms`);
  expect(await list()).toEqual([200, 1]);

  await pair.standby.start();
  await until(ready);
  const again = await createAll();
  expect(again.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
  expect(await list()).toEqual([200, WRITERS + 1]);

  await pair.primary.kill();
  await pair.standby.promote();
  const promoted = performance.now();
  await until(ready);
  console.info(`ready after the promotion: ${Math.round(performance.now() - promoted)} ms`);
  expect(await list()).toEqual([200, WRITERS + 1]);
  expect((await client.create({ rows_json: rowsJson(goodRows(2)) }, { key: 'last' })).status).toBe(202);
  expect(await list()).toEqual([200, WRITERS + 2]);
});
