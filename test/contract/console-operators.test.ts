import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BulkfillServer, startBulkfillServer } from '../support/bulkfill-server.ts';
import { rowpress, rowpressJson } from '../support/cli.ts';
import { ConsoleClient, type Listed, type Session, signedIn, tokenOf } from '../support/console-client.ts';

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
    TRUST_PROXY: '127.0.0.1',
  });
});
afterAll(async () => {
  await otherNode.stop();
  await server.stop();
});
// One address may attempt twenty sign-ins a minute.
beforeEach(() => {
  for (const node of [server, otherNode]) node.clock.advance(61_000);
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

describe('cookies over TLS', () => {
  const https = { 'x-forwarded-proto': 'https' };
  const signInWith = (at: BulkfillServer, link: string, headers: Record<string, string>) =>
    new ConsoleClient(at).request<Session>('POST', '/session', {
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ token: tokenOf(link) }),
    });

  it('[CON43] a trusted proxy says https: the cookie is bound to this host; an unknown proxy is not believed', async () => {
    const trusted = await signInWith(otherNode, await invite('By proxy'), https);
    expect(trusted.headers.get('set-cookie')).toMatch(
      /^__Host-rowpress_session=\w{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure$/,
    );
    const unknown = await signInWith(server, await invite('Directly'), https);
    expect(unknown.headers.get('set-cookie')).toMatch(/^rowpress_session=\w{43}; /);
  });

  it('[CON43] a plain cookie over TLS: not signed in', async () => {
    const client = await join('Plain');
    const overTls = new ConsoleClient(otherNode);
    overTls.cookie = client.cookie;
    expect((await overTls.get<Session>('/session', https)).body).toEqual({ signed_in: false });
  });
});

describe('links', () => {
  it('[CON44] a request with a foreign Host header creates an invitation: the link is a path with a note', async () => {
    for (const [headers, to] of [
      [{ host: 'evil.example' }, server],
      [{ host: '127.0.0.1', 'x-forwarded-host': 'evil.example' }, otherNode],
    ] as const) {
      const body = await inviteWith(to, headers);
      expect(body.link).toMatch(/^\/sign-in#token=\w{43}$/);
      expect(body.note).toContain('ROWPRESS_PUBLIC_URL');
    }
    const own = await inviteWith(server, { host: '127.0.0.1:8080' });
    expect(own).toEqual({
      link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/sign-in#token=\w{43}$/),
      expires_at: expect.any(String),
    });
  });
});

interface ListedSession {
  readonly id: string;
  readonly operator: { readonly name: string };
  readonly is_current: boolean;
}
interface ListedLink {
  readonly id: string;
  readonly kind: string;
  readonly for: string | null;
}
const sessionsOf = async (name: string) =>
  (await operator.get<Listed<ListedSession>>('/sessions?limit=100')).body.items.filter(
    (session) => session.operator.name === name,
  );
const links = async () => (await operator.get<Listed<ListedLink>>('/sign-in-links?limit=100')).body.items;

describe('lists of access', () => {
  it('[CON45] sessions: listed with operator, times, address and browser; the own one is marked', async () => {
    const client = new ConsoleClient(server);
    const signIn = { 'content-type': 'application/json', 'user-agent': `Browser ${'x'.repeat(400)}` };
    const body = JSON.stringify({ token: tokenOf(await invite('Listed')) });
    await client.request('POST', '/session', { headers: signIn, body });
    expect(await sessionsOf('Listed')).toEqual([
      {
        id: expect.any(String),
        operator: { id: expect.any(String), name: 'Listed' },
        created_at: expect.any(String),
        last_seen_at: expect.any(String),
        expires_at: expect.any(String),
        address: '127.0.0.1',
        user_agent: `Browser ${'x'.repeat(292)}`,
        is_current: false,
      },
    ]);
    expect((await sessionsOf('operator')).filter((session) => session.is_current)).toHaveLength(1);
  });

  it('[CON45] a session is revoked: it ends on every node, a second time is 404', async () => {
    const client = await join('Revoked');
    const [session] = await sessionsOf('Revoked');
    expect((await operator.delete(`/sessions/${session?.id}`)).status).toBe(204);
    expect((await client.get('/accounts')).status).toBe(401);
    const elsewhere = new ConsoleClient(otherNode);
    elsewhere.cookie = client.cookie;
    expect((await elsewhere.get('/accounts')).status).toBe(401);
    expect((await operator.delete(`/sessions/${session?.id}`)).status).toBe(404);
  });

  it('[CON45] all other sessions are revoked: of one operator, or of everyone, and never the own one', async () => {
    const [first, other] = [await join('Twofold'), await join('Bystander')];
    const again = new ConsoleClient(server);
    const id = (await first.get<Session>('/session')).body.operator.id;
    await again.signIn((await operator.post<{ link: string }>(`/operators/${id}/sign-in-links`)).body.link);
    expect((await first.delete<{ revoked: number }>(`/sessions?operator=${id}`)).body).toEqual({
      revoked: 1,
    });
    expect((await again.get('/accounts')).status).toBe(401);
    expect((await first.get('/accounts')).status).toBe(200);
    expect((await other.get('/accounts')).status).toBe(200);
    expect((await operator.delete<{ revoked: number }>('/sessions')).body.revoked).toBeGreaterThan(1);
    for (const client of [first, other]) expect((await client.get('/accounts')).status).toBe(401);
    expect((await operator.get('/accounts')).status).toBe(200);
  });

  it('[CON46] unused links: listed with their maker and revoked', async () => {
    const link = await invite('Expected');
    const pending = (await links()).find((item) => item.for === 'Expected');
    expect(pending).toEqual({
      id: expect.any(String),
      kind: 'invitation',
      for: 'Expected',
      role: 'operator',
      account: null,
      made_by: { id: expect.any(String), name: 'operator' },
      created_at: expect.any(String),
      expires_at: expect.any(String),
    });
    expect(JSON.stringify(await links())).not.toContain(tokenOf(link));
    expect((await operator.delete(`/sign-in-links/${pending?.id}`)).status).toBe(204);
    expect((await operator.delete(`/sign-in-links/${pending?.id}`)).status).toBe(404);
    expect((await new ConsoleClient(server).signIn(link)).status).toBe(401);
    const used = await invite('Quick');
    await new ConsoleClient(server).signIn(used);
    expect((await links()).some((item) => item.for === 'Quick')).toBe(false);
  });

  it('[CON47] a link for an existing operator: signs in that operator, and ends with it', async () => {
    const ada = await join('Ada');
    const { id } = (await ada.get<Session>('/session')).body.operator;
    const make = async () =>
      (await operator.post<{ link: string }>(`/operators/${id}/sign-in-links`)).body.link;
    const byCommand = await rowpressJson<{ link: string }>(['login-link', '--operator', 'Ada'], server.env);
    for (const link of [await make(), byCommand.link])
      expect((await new ConsoleClient(server).signIn(link)).body.operator).toEqual({ id, name: 'Ada' });
    const unused = await make();
    await remove('Ada');
    expect((await new ConsoleClient(server).signIn(unused)).status).toBe(401);
    expect((await operator.post(`/operators/${id}/sign-in-links`)).status).toBe(404);
    const unknown = await rowpress(['login-link', '--operator', 'Ada', '--json'], server.env);
    expect([unknown.code, JSON.parse(unknown.stdout)]).toEqual([
      1,
      { code: 'OPERATOR_NOT_FOUND', message: 'There is no operator "Ada".' },
    ]);
  });
});

/** fetch() does not allow setting the Host header. */
function inviteWith(
  to: BulkfillServer,
  headers: Record<string, string>,
): Promise<{ link: string; note?: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${to.url}/operator/v1/invitations`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: operator.cookie,
        'x-csrf-token': operator.csrf,
        ...headers,
      },
    });
    sent.once('response', (response) => text(response).then((body) => resolve(JSON.parse(body)), reject));
    sent.once('error', reject);
    sent.end(JSON.stringify({ name: 'Guest' }));
  });
}
