import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Health } from '#console/contract/health.ts';
import { type BulkfillServer, startBulkfillServer } from '../support/bulkfill-server.ts';
import { databaseUrl, rowpress } from '../support/cli.ts';
import { type ConsoleClient, type Listed, signedIn } from '../support/console-client.ts';
import { createDatabase } from '../support/database.ts';

const SOCKET = '.s.PGSQL.5432';

/** A way to the database that counts the reads that take it, and that can be closed. */
async function openPassage(databaseFolder: string) {
  const folder = mkdtempSync(join(tmpdir(), 'rp-passage-'));
  const sockets = new Set<Socket>();
  const passage = { folder, reads: 0, close: async () => {} };
  const gate = createServer((client) => {
    const upstream = connect(join(databaseFolder, SOCKET));
    sockets.add(client);
    client.on('data', (bytes) => {
      if (bytes.includes('read only')) passage.reads += 1;
    });
    client.on('error', () => {}).on('close', () => upstream.destroy());
    upstream.on('error', () => {}).on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  await once(gate.listen(join(folder, SOCKET)), 'listening');
  passage.close = async () => {
    if (!gate.listening) return;
    const closed = once(gate, 'close');
    gate.close();
    for (const socket of sockets) socket.destroy();
    await closed;
    rmSync(folder, { recursive: true, force: true });
  };
  return passage;
}

let server: BulkfillServer;
let operator: ConsoleClient;
let passage: Awaited<ReturnType<typeof openPassage>>;
beforeAll(async () => {
  const address = await createDatabase();
  passage = await openPassage(address.host);
  // Connections that reject writes stand for a standby; test/cluster uses real ones.
  const rejecting = `options=${encodeURIComponent('-c default_transaction_read_only=on')}`;
  server = await startBulkfillServer({
    DATABASE_URL: databaseUrl(address),
    DATABASE_READ_URL: `${databaseUrl({ ...address, host: passage.folder })}&${rejecting}`,
  });
  operator = await signedIn(server);
});
afterAll(async () => {
  await server?.stop();
  await passage?.close();
});

/** A busy machine can delay a read so much that the primary answers it and the next ones. */
const PATIENCE = { timeout: 60_000 };

/** Sends the request until the replica has answered it. */
async function answeredByReplica(path: string, request: () => Promise<{ status: number }>): Promise<void> {
  const attempt = async () => {
    const before = passage.reads;
    const { status } = await request();
    return [path, status, passage.reads > before];
  };
  await expect.poll(attempt, PATIENCE).toEqual([path, 200, true]);
}

const health = async () => (await operator.get<Health>('/health')).body;

test('[STO95] lists, usage, search and the audit log: the replica answers, and nothing writes there', async () => {
  for (const path of [
    '/jobs',
    '/jobs?q=letter',
    '/deliveries',
    '/usage',
    '/search?q=letter',
    '/audit',
    '/ingest/overview',
  ])
    await answeredByReplica(path, () => operator.get(path));
  expect(await operator.post('/accounts', { name: 'reader' })).toMatchObject({ status: 201 });
  for (const [surface, paths] of Object.entries({
    bulkfill: ['/v1/bulkfill/export-jobs'],
    subscribers: ['/v1/subscribers', '/v1/jobs/subscriber-imports', '/v1/jobs/subscriber-exports'],
  })) {
    const made = await operator.post<{ key: string }>('/keys', { surface, account: 'reader' });
    const headers = { authorization: `Bearer ${made.body.key}` };
    for (const path of paths) await answeredByReplica(path, () => fetch(server.url + path, { headers }));
  }
  // A read that the replica rejected would be here, because the primary answered it.
  const { background_errors: errors } = await health();
  expect(errors.filter(({ kind }) => kind !== 'ReplicaProblem')).toEqual([]);
});

test('[STO95] sign-in, rights and single records: the replica is not used', async () => {
  const before = passage.reads;
  expect((await operator.get('/session')).status).toBe(200);
  expect((await operator.get('/accounts?account=nobody')).status).toBe(404);
  expect((await operator.get('/jobs/00000000-0000-4000-8000-000000000000')).status).toBe(404);
  expect(passage.reads).toBe(before);
});

test('[STO96] a change and then the list: the list has the change, every time', async () => {
  for (let turn = 0; turn < 10; turn += 1) {
    const name = `change-${turn}`;
    await operator.post('/accounts', { name });
    const { body } = await operator.get<Listed<{ account: string | null }>>('/audit?action=account.created');
    expect(body.items[0]?.account).toBe(name);
  }
});

test('[OPS141] the read replica in Health and doctor: in use, or why the primary answers', async () => {
  await expect.poll(async () => (await health()).read_replica, PATIENCE).toBe('used');
  const doctor = async (env: Record<string, string>) => {
    const { stdout } = await rowpress(['doctor', '--json'], { ...server.env, ...env });
    const { checks } = JSON.parse(stdout) as { checks: { name: string }[] };
    return checks.find(({ name }) => name === 'read replica');
  };
  await expect
    .poll(() => doctor({}), PATIENCE)
    .toEqual({
      name: 'read replica',
      state: 'ok',
      detail: 'answers lists, usage and the console',
    });
  expect(await doctor({ DATABASE_READ_URL: '' })).toBeUndefined();

  await passage.close();
  expect((await health()).read_replica).toBe('unavailable');
  expect(await doctor({})).toMatchObject({
    state: 'warning',
    detail: 'does not respond; the primary answers instead',
  });
});

test('[STO97] the replica is unavailable: the primary answers', async () => {
  await passage.close();
  await operator.post('/accounts', { name: 'later' });
  const { status, body } = await operator.get<Listed<{ account: string | null }>>(
    '/audit?action=account.created',
  );
  expect([status, body.items[0]?.account]).toEqual([200, 'later']);
});
