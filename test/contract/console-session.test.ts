import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BulkfillServer, startBulkfillServer } from '../support/bulkfill-server.ts';
import { rowpress, rowpressJson } from '../support/cli.ts';
import { ConsoleClient, type Listed, type Session, signedIn, tokenOf } from '../support/console-client.ts';

const DAY_MS = 86_400_000;
let server: BulkfillServer;
let operator: ConsoleClient;
beforeAll(async () => {
  server = await startBulkfillServer();
  operator = await signedIn(server);
});
afterAll(() => server.stop());

const invite = async (name: string) => (await operator.post<{ link: string }>('/invitations', { name })).body;

describe('links', () => {
  it('[CON1] the first start: creates a link to this server with the token in the fragment', () => {
    expect(server.signInLink).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign-in#token=[A-Za-z0-9]{43}$/);
    expect(server.signInLink?.startsWith(server.url)).toBe(true);
  });

  it('[CON2] a link used twice, even at the same moment: signs in once', async () => {
    expect((await new ConsoleClient(server).signIn(server.signInLink)).body.error.code).toBe(
      'SIGN_IN_LINK_INVALID',
    );
    const { link } = await invite('twice');
    const both = await Promise.all([
      new ConsoleClient(server).signIn(link),
      new ConsoleClient(server).signIn(link),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('[CON2] an unknown token: the same answer as a used one, and no cookie', async () => {
    const used = await new ConsoleClient(server).signIn(server.signInLink);
    const unknown = await new ConsoleClient(server).post('/session', { token: 'x'.repeat(43) });
    expect(unknown.status).toBe(401);
    expect({ ...unknown.body.error, request_id: '' }).toEqual({ ...used.body.error, request_id: '' });
    expect(unknown.headers.get('set-cookie')).toBeNull();
  });

  it('[CON1][CON2] `login-link`: prints a new link that expires after a day', async () => {
    const fresh = await rowpressJson<{ link: string; expires_at: string }>(['login-link'], server.env);
    const { body } = await new ConsoleClient(server).signIn(fresh.link);
    expect(body.operator).toEqual((await operator.get<Session>('/session')).body.operator);
    const { stdout, code } = await rowpress(['login-link'], server.env);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:\/\/\S+\/sign-in#token=\w{43}\n$/)]);
    server.clock.advance(DAY_MS + 1_000);
    expect((await new ConsoleClient(server).signIn(stdout.trim())).status).toBe(401);
  });
});

describe('sessions', () => {
  it('[CON3] without TLS: the cookie has its plain name and is out of reach of scripts and other sites', async () => {
    const { headers } = await new ConsoleClient(server).signIn((await invite('flags')).link);
    const [pair, ...attributes] = (headers.get('set-cookie') ?? '').split('; ');
    expect(pair).toMatch(/^rowpress_session=[A-Za-z0-9]{43}$/);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax']);
  });

  it('[CON3][CON43] behind https and a base path: the cookie is bound to the host, and its name holds the path', async () => {
    const other = await startBulkfillServer({
      ROWPRESS_PUBLIC_URL: 'https://tools.example/rowpress',
      ROWPRESS_BASE_PATH: '/rowpress',
    });
    try {
      expect(other.signInLink).toMatch(/^https:\/\/tools\.example\/rowpress\/sign-in#token=/);
      const { headers } = await new ConsoleClient(other).signIn(other.signInLink);
      const [pair, ...attributes] = (headers.get('set-cookie') ?? '').split('; ');
      expect(pair).toMatch(/^__Host-rowpress_session\+rowpress=[A-Za-z0-9]{43}$/);
      expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax', 'Secure']);
    } finally {
      await other.stop();
    }
  });

  it('[CON42] a session that is used: renewed; without a request for seven days: ended', async () => {
    const used = new ConsoleClient(server);
    await used.signIn((await invite('used')).link);
    const idle = new ConsoleClient(server);
    await idle.signIn((await invite('idle')).link);
    server.clock.advance(5 * DAY_MS);
    const renewed = await used.get<Session>('/session');
    expect(renewed.headers.get('set-cookie')).toContain(`${used.cookie}; `);
    await operator.get('/session');
    server.clock.advance(2.1 * DAY_MS);
    expect((await used.get<Session>('/session')).body.signed_in).toBe(true);
    expect((await idle.get<Session>('/session')).body).toEqual({ signed_in: false });
  });

  it('[CON42] a session that is used every day: ends thirty days after the sign-in', async () => {
    const used = new ConsoleClient(server);
    await used.signIn((await invite('daily')).link);
    for (let day = 1; day < 30; day += 1) {
      server.clock.advance(DAY_MS);
      // The test's own operator has an older session, so it signs in again with an invitation.
      if (day === 10) {
        const { link } = await invite('successor');
        await operator.signIn(link);
      }
      await operator.get('/session');
      const { body, headers } = await used.get<Session>('/session');
      expect([day, body.signed_in]).toEqual([day, true]);
      const maxAge = Number(/Max-Age=(\d+)/.exec(headers.get('set-cookie') ?? '')?.[1]);
      expect(maxAge).toBeLessThanOrEqual(Math.min(7, 30 - day) * 86_400);
    }
    server.clock.advance(DAY_MS);
    expect((await used.get<Session>('/session')).body).toEqual({ signed_in: false });
    await operator.get('/session');
  });

  it('[CON4] the session: the operator, the CSRF token and the accounts', async () => {
    const account = await server.account();
    const { body } = await operator.get<Session>('/session');
    expect(body).toEqual({
      signed_in: true,
      operator: { id: expect.any(String), name: 'successor' },
      role: 'operator',
      account: null,
      may: expect.arrayContaining(['self', 'run', 'manage']),
      csrf_token: operator.csrf,
      accounts: expect.arrayContaining([
        { id: account.id, name: account.name, plan: 'unlimited', active: true },
      ]),
    });
    expect((await new ConsoleClient(server).get('/session')).body).toEqual({ signed_in: false });
  });

  it('[CON4] signing out: ends the session and its cookie', async () => {
    const client = new ConsoleClient(server);
    await client.signIn((await invite('leaves')).link);
    const left = await client.delete('/session');
    expect([left.status, left.headers.get('set-cookie')]).toEqual([
      200,
      expect.stringContaining('Max-Age=0'),
    ]);
    expect((await client.get<Session>('/session')).body).toEqual({ signed_in: false });
  });

  it('[CON5] a write without the token of its session: rejected', async () => {
    const other = new ConsoleClient(server);
    await other.signIn((await invite('other')).link);
    for (const token of ['', 'x', other.csrf ?? '', `${operator.csrf}x`]) {
      const refused = await operator.request('POST', '/accounts', {
        body: JSON.stringify({ name: 'never' }),
        headers: { 'content-type': 'application/json', 'x-csrf-token': token },
      });
      expect([refused.status, refused.body.error.code]).toEqual([403, 'CSRF_TOKEN_INVALID']);
    }
    expect((await operator.get('/accounts')).status).toBe(200);
  });

  it('[CON5] a request from another site: rejected, even with the token', async () => {
    for (const [method, path] of [
      ['GET', '/accounts'],
      ['POST', '/accounts'],
      ['POST', '/session'],
    ] as const) {
      const refused = await operator.request(method, path, { headers: { 'sec-fetch-site': 'cross-site' } });
      expect([refused.status, refused.body.error.code]).toEqual([403, 'CROSS_SITE_REFUSED']);
    }
    expect((await operator.get('/accounts', { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  it('[CON6] more than twenty sign-ins a minute from one address: 429', async () => {
    const client = new ConsoleClient(server);
    server.clock.advance(120_000);
    const statuses: number[] = [];
    for (let i = 0; i < 25; i += 1) statuses.push((await client.post('/session', { token: 'guess' })).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
    server.clock.advance(120_000);
    expect((await client.post('/session', { token: 'guess' })).status).toBe(401);
  });
});

describe('operators', () => {
  it('[CON6] a sign-in body above 1 kB: refused before it is parsed', async () => {
    const { status, body } = await new ConsoleClient(server).post('/session', { token: 'x'.repeat(1_025) });
    expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('[CON7] an invitation: signs in by name, for seven days', async () => {
    const { link } = await invite('Ada');
    const late = await invite('Late');
    server.clock.advance(6 * DAY_MS);
    const ada = new ConsoleClient(server);
    expect((await ada.signIn(link)).body.operator.name).toBe('Ada');
    await operator.get('/session');
    server.clock.advance(1.1 * DAY_MS);
    expect((await new ConsoleClient(server).signIn(late.link)).status).toBe(401);
    const { body } = await operator.get<Listed<{ name: string; is_self: boolean }>>('/operators');
    expect(body.items.find(({ name }) => name === 'Ada')).toMatchObject({ is_self: false, sessions: 1 });
    expect(body.items.some(({ name }) => name === 'Late')).toBe(false);
  });

  it('[CON7] an operator is removed: its sessions end; the last operator cannot be removed', async () => {
    const ada = new ConsoleClient(server);
    await ada.signIn((await invite('Bea')).link);
    const { items } = (await operator.get<Listed<{ id: string; is_self: boolean }>>('/operators')).body;
    for (const { id, is_self } of items)
      if (!is_self) expect((await operator.delete(`/operators/${id}`)).status).toBe(204);
    expect((await ada.get('/accounts')).status).toBe(401);
    const self = items.find(({ is_self }) => is_self)?.id;
    const kept = await operator.delete(`/operators/${self}`);
    expect([kept.status, kept.body.error.code]).toEqual([409, 'LAST_OPERATOR']);
    expect((await operator.delete(`/operators/${tokenOf('')}`)).status).toBe(404);
  });
});

it('[CON1] a start after the first sign-in: creates no link', async () => {
  const again = await startBulkfillServer({
    DATABASE_URL: server.env.DATABASE_URL ?? '',
    ROWPRESS_DATA_DIR: server.env.ROWPRESS_DATA_DIR ?? '',
    ROWPRESS_ROLE: 'api',
  });
  expect(again.signInLink).toBeUndefined();
  await again.stop();
});
