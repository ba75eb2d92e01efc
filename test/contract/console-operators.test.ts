import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BulkfillServer, startBulkfillServer } from '../support/bulkfill-server.ts';
import { ConsoleClient, type Listed, signedIn } from '../support/console-client.ts';

let server: BulkfillServer;
let otherNode: BulkfillServer;
let operator: ConsoleClient;
beforeAll(async () => {
  server = await startBulkfillServer({ ROWPRESS_ROLE: 'api' });
  operator = await signedIn(server);
  otherNode = await startBulkfillServer({
    DATABASE_URL: server.env.DATABASE_URL ?? '',
    ROWPRESS_DATA_DIR: server.env.ROWPRESS_DATA_DIR ?? '',
    ROWPRESS_ROLE: 'api',
  });
});
afterAll(async () => {
  await otherNode.stop();
  await server.stop();
});

const invite = async (name: string, by = operator) =>
  (await by.post<{ link: string }>('/invitations', { name })).body.link;

async function join(name: string): Promise<ConsoleClient> {
  const client = new ConsoleClient(server);
  expect((await client.signIn(await invite(name))).status).toBe(200);
  return client;
}

async function remove(name: string): Promise<void> {
  const { items } = (await operator.get<Listed<{ id: string; name: string }>>('/operators')).body;
  const id = items.find((item) => item.name === name)?.id;
  expect((await operator.delete(`/operators/${id}`)).status).toBe(204);
}

/** Reads a stream until the server ends it; rejects if it is still open after ten seconds. */
async function untilClosed(client: ConsoleClient): Promise<{ opened: Promise<void>; closed: Promise<void> }> {
  const response = await client.fetch('/jobs/stream', { signal: AbortSignal.timeout(10_000) });
  expect(response.status).toBe(200);
  const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const opened = reader.read().then(() => {});
  const closed = opened.then(async () => {
    const still = async (): Promise<void> => ((await reader.read()).done ? undefined : still());
    await still().catch((error: Error) => {
      if (error.name === 'TimeoutError') throw error;
    });
  });
  return { opened, closed };
}

describe('removing an operator', () => {
  it('[CON40] an operator is removed: its unused invitations no longer sign in, used ones and others stay', async () => {
    const mallory = await join('Mallory');
    const [unused, used] = [await invite('Accomplice', mallory), await invite('Colleague', mallory)];
    const kept = await invite('Invited by another');
    const colleague = new ConsoleClient(server);
    await colleague.signIn(used);
    await remove('Mallory');
    expect((await new ConsoleClient(server).signIn(unused)).status).toBe(401);
    expect((await new ConsoleClient(otherNode).signIn(unused)).status).toBe(401);
    expect((await new ConsoleClient(otherNode).signIn(kept)).status).toBe(200);
    expect((await colleague.get('/accounts')).status).toBe(200);
  });

  it('[CON41] an operator is removed: its job streams end on every node, others go on', async () => {
    const client = await join('Streamer');
    const elsewhere = new ConsoleClient(otherNode);
    elsewhere.cookie = client.cookie;
    const streams = [await untilClosed(client), await untilClosed(elsewhere)];
    const kept = await operator.fetch('/jobs/stream');
    await Promise.all(streams.map(({ opened }) => opened));
    await remove('Streamer');
    await Promise.all(streams.map(({ closed }) => closed));
    expect((await client.get('/accounts')).status).toBe(401);
    expect((await elsewhere.get('/accounts')).status).toBe(401);
    const reader = kept.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
  });
});
