import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BulkfillServer, startBulkfillServer } from '../support/bulkfill-server.ts';
import {
  type ConsoleAnswer,
  ConsoleClient,
  keepCookies,
  type Listed,
  type Session,
  signedIn,
} from '../support/console-client.ts';
import { startIdentityProvider, type TestProvider } from '../support/identity-provider.ts';

const PUBLIC_URL = 'http://rowpress.test';
const MINUTE_MS = 60_000;
let provider: TestProvider;
let server: BulkfillServer;
let operator: ConsoleClient;
let env: Record<string, string>;

beforeAll(async () => {
  provider = await startIdentityProvider();
  provider.allow(`${PUBLIC_URL}/sign-in`);
  env = {
    ...provider.env,
    // The same address; a redirect URI is compared as a text.
    ROWPRESS_PUBLIC_URL: 'http://Rowpress.test:80',
    ROWPRESS_OIDC_LABEL: 'Sign in with Example ID',
    ROWPRESS_OIDC_ROLE_CLAIM: 'groups',
    ROWPRESS_OIDC_ROLES: JSON.stringify([
      { value: 'admins', role: 'operator' },
      { value: 'clerks', role: 'runner', account: 'Acme' },
      { value: 'strays', role: 'designer', account: 'Nowhere' },
    ]),
  };
  server = await startBulkfillServer(env);
  operator = await signedIn(server);
  await operator.post('/accounts', { name: 'Acme' });
});
afterAll(async () => {
  await server?.stop();
  await provider?.stop();
});
// One address may attempt twenty sign-ins a minute.
beforeEach(() => server.clock.advance(MINUTE_MS + 1_000));
afterEach(() => {
  provider.isDown = false;
  provider.changeToken = undefined;
  provider.breaksSignatures = false;
});

async function begin(client = new ConsoleClient(server)) {
  const started = await client.post<{ authorization_url: string }>('/single-sign-on');
  keepCookies(client, started);
  return { client, started, url: started.body.authorization_url };
}

async function complete(client: ConsoleClient, response: string): Promise<ConsoleAnswer<Session>> {
  const answer = await client.post<Session>('/single-sign-on/session', { response });
  keepCookies(client, answer);
  client.csrf = answer.body.csrf_token;
  return answer;
}

async function signInAs(login: string) {
  const { client, url } = await begin();
  return { client, answer: await complete(client, await provider.signIn(url, login)) };
}

const invite = (name: string, role: object = {}) =>
  operator.post<{ link: string }>('/invitations', { name, ...role });
const verified = (email: string) => ({ email, email_verified: true });
const codeOf = (answer: ConsoleAnswer<unknown>) => [answer.status, answer.body.error?.code];
const people = async () =>
  (
    await operator.get<Listed<{ id: string; name: string; role: string; sessions: number }>>(
      '/operators?limit=100',
    )
  ).body.items;
const entriesOf = async (id: string) =>
  (
    await operator.get<Listed<{ action: string; details: object | null; target: string | null }>>(
      `/audit?operator=${id}`,
    )
  ).body.items;

describe('an invited person', () => {
  it('[PPL30][PPL33] a verified address: takes the invitation and gets the session of a link', async () => {
    await invite('Ada@Example.com', { role: 'designer', account: 'Acme' });
    provider.people.set('sub-ada', verified('ada@example.com'));
    const { client, answer } = await signInAs('sub-ada');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      signed_in: true,
      operator: { name: 'Ada@Example.com' },
      role: 'designer',
      account: { name: 'Acme' },
    });
    const [session] = answer.headers
      .getSetCookie()
      .filter((cookie) => cookie.startsWith('rowpress_session='));
    expect(session).toMatch(/^rowpress_session=\w{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/);
    expect((await client.get<Session>('/session')).body.signed_in).toBe(true);
    const { items } = (await operator.get<Listed<{ for: string }>>('/sign-in-links')).body;
    expect(items.map((link) => link.for)).not.toContain('Ada@Example.com');
  });

  it('[PPL37] a sign-in: recorded with its method, and the session can be listed and revoked', async () => {
    const ada = (await people()).find(({ name }) => name === 'Ada@Example.com');
    const { client } = await signInAs('sub-ada');
    const entries = await entriesOf(ada?.id ?? '');
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['signed-in', { method: 'single-sign-on' }],
      ['signed-in', { method: 'single-sign-on' }],
      ['operator.linked', null],
    ]);
    const { items } = (await client.get<Listed<{ id: string; is_current: boolean }>>('/sessions')).body;
    const own = items.find(({ is_current }) => is_current)?.id;
    expect((await operator.delete(`/sessions/${own}`)).status).toBe(204);
    expect((await client.get<Session>('/session')).body.signed_in).toBe(false);
  });

  it('[PPL34] the address changes at the provider: the subject stays the same person', async () => {
    provider.people.set('sub-ada', verified('ada.lovelace@example.com'));
    const { answer } = await signInAs('sub-ada');
    expect(answer.body.operator.name).toBe('Ada@Example.com');
    provider.people.set('sub-other', verified('ada@example.com'));
    expect(codeOf((await signInAs('sub-other')).answer)).toEqual([403, 'NOT_INVITED']);
  });

  it('[PPL33] a person who signed in with a link before: linked by the address', async () => {
    const { body } = await invite('bea@example.com');
    const bea = new ConsoleClient(server);
    const { operator: before } = (await bea.signIn(body.link)).body;
    provider.people.set('sub-bea', verified('bea@example.com'));
    expect((await signInAs('sub-bea')).answer.body.operator).toEqual(before);
  });

  it('[PPL33] two invitations with the address: refused, and both remain', async () => {
    await invite('twin@example.com');
    await invite('twin@example.com', { role: 'auditor' });
    provider.people.set('sub-twin', verified('twin@example.com'));
    const { answer } = await signInAs('sub-twin');
    expect(codeOf(answer)).toEqual([403, 'NOT_INVITED']);
    expect(answer.body.error.message).toContain('More than one person or invitation');
    const { items } = (await operator.get<Listed<{ for: string }>>('/sign-in-links')).body;
    expect(items.filter((link) => link.for === 'twin@example.com')).toHaveLength(2);
  });

  it('[PPL34] a removed person: refused, until an operator invites them again', async () => {
    const bea = (await people()).find(({ name }) => name === 'bea@example.com');
    expect((await operator.delete(`/operators/${bea?.id}`)).status).toBe(204);
    expect(codeOf((await signInAs('sub-bea')).answer)).toEqual([403, 'NOT_INVITED']);
    await invite('bea@example.com', { role: 'auditor' });
    const again = (await signInAs('sub-bea')).answer.body;
    expect(again).toMatchObject({ operator: { name: 'bea@example.com' }, role: 'auditor' });
    expect(again.operator.id).not.toBe(bea?.id);
  });
});

describe('a person whom nobody invited', () => {
  it('[PPL35] an unknown address: named in the response, and nobody is created', async () => {
    const before = await people();
    provider.people.set('sub-eve', verified('eve@example.com'));
    const { client, answer } = await signInAs('sub-eve');
    expect(codeOf(answer)).toEqual([403, 'NOT_INVITED']);
    expect(answer.body.error.message).toContain('Nobody has invited eve@example.com. Ask an operator');
    expect(client.cookie).toBe('');
    expect(await people()).toEqual(before);
  });

  it('[PPL33] an address of the ID token, verified is another one of the userinfo: refused', async () => {
    await invite('victim@example.com');
    provider.people.set('sub-mixed', verified('own@example.com'));
    provider.changeToken = (claims) => ({ ...claims, email: 'victim@example.com' });
    const { answer } = await signInAs('sub-mixed');
    expect(codeOf(answer)).toEqual([403, 'NOT_INVITED']);
    expect(answer.body.error.message).toContain('Nobody has invited own@example.com.');
  });

  it('[PPL33] an address that is not verified: refused, even if it is invited', async () => {
    await invite('mallory@example.com');
    for (const claims of [{ email_verified: false }, {}, { email_verified: 'no' }]) {
      provider.people.set('sub-mallory', { email: 'mallory@example.com', ...claims });
      const { answer } = await signInAs('sub-mallory');
      expect(codeOf(answer)).toEqual([403, 'NOT_INVITED']);
      expect(answer.body.error.message).toContain('has not verified the address mallory@example.com');
    }
    provider.people.set('sub-mallory', {
      preferred_username: 'mallory@example.com',
      name: 'mallory@example.com',
    });
    expect(codeOf((await signInAs('sub-mallory')).answer)).toEqual([403, 'NOT_INVITED']);
  });
});

describe('a response that does not belong to the sign-in', () => {
  beforeAll(() => {
    provider.people.set('sub-ops', { groups: ['admins'] });
  });
  const FAILED = [401, 'SINGLE_SIGN_ON_FAILED'];

  it('[PPL32] a replayed response: refused, even with the cookie of its sign-in', async () => {
    const { client, url } = await begin();
    const cookie = client.cookie;
    const response = await provider.signIn(url, 'sub-ops');
    expect((await complete(client, response)).status).toBe(200);
    const again = new ConsoleClient(server);
    again.cookie = cookie;
    expect(codeOf(await complete(again, response))).toEqual(FAILED);
    expect(codeOf(await complete(new ConsoleClient(server), response))).toEqual(FAILED);
  });

  it('[PPL32] two uses at the same moment: one signs in', async () => {
    const { client, url } = await begin();
    const response = await provider.signIn(url, 'sub-ops');
    const twin = new ConsoleClient(server);
    twin.cookie = client.cookie;
    const both = await Promise.all([complete(client, response), complete(twin, response)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('[PPL32] a sign-in that began more than ten minutes ago: refused', async () => {
    const { client, url } = await begin();
    const response = await provider.signIn(url, 'sub-ops');
    server.clock.advance(10 * MINUTE_MS + 1_000);
    expect(codeOf(await complete(client, response))).toEqual(FAILED);
  });

  it('[PPL31] the cookie of the sign-in: out of reach of scripts, for ten minutes', async () => {
    const { started } = await begin();
    expect(started.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^rowpress_sso=\w{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ]);
    const url = new URL(started.body.authorization_url);
    expect(url.origin).toBe(provider.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'rowpress',
      redirect_uri: `${PUBLIC_URL}/sign-in`,
      code_challenge_method: 'S256',
      nonce: expect.any(String),
    });
  });

  it.each([
    ['state', (response: URLSearchParams) => response.set('state', 'x'.repeat(43))],
    ['state, missing', (response: URLSearchParams) => response.delete('state')],
    ['iss', (response: URLSearchParams) => response.set('iss', 'https://other.example')],
    ['code', (response: URLSearchParams) => response.set('code', 'guess')],
  ])('[PPL31] a wrong %s: refused', async (_, change) => {
    const { client, url } = await begin();
    const response = new URLSearchParams(await provider.signIn(url, 'sub-ops'));
    change(response);
    expect(codeOf(await complete(client, response.toString()))).toEqual(FAILED);
  });

  it('[PPL31] the response of another browser: refused', async () => {
    const [mine, other] = [await begin(), await begin()];
    const response = await provider.signIn(other.url, 'sub-ops');
    expect(codeOf(await complete(mine.client, response))).toEqual(FAILED);
  });

  it('[PPL31] a token with another nonce, audience, issuer, signature or an old expiry: refused', async () => {
    const wrong: readonly (readonly [string, (claims: object) => Record<string, unknown>])[] = [
      ['nonce', (claims) => ({ ...claims, nonce: 'other' })],
      ['audience', (claims) => ({ ...claims, aud: 'other' })],
      ['issuer', (claims) => ({ ...claims, iss: 'https://other.example' })],
      ['expiry', (claims) => ({ ...claims, exp: 1_700_000_000 })],
    ];
    const outcome = async () => codeOf((await signInAs('sub-ops')).answer);
    for (const [name, change] of wrong) {
      provider.changeToken = change;
      expect([name, ...(await outcome())]).toEqual([name, ...FAILED]);
    }
    provider.changeToken = (claims) => claims;
    expect(await outcome()).toEqual([200, undefined]);
    provider.breaksSignatures = true;
    expect(await outcome()).toEqual(FAILED);
  });

  it('[PPL36] a sign-in that is cancelled at the provider: says so without the text of the provider', async () => {
    const { client, url } = await begin();
    const answer = await complete(client, await provider.signIn(url));
    expect(codeOf(answer)).toEqual(FAILED);
    expect(answer.body.error.message).toContain('did not sign you in (access_denied)');
    expect(answer.body.error.message).not.toContain('<b>');
  });

  it('[PPL32] more than twenty requests a minute from one address: 429', async () => {
    const client = new ConsoleClient(server);
    const statuses: number[] = [];
    for (let i = 0; i < 25; i += 1)
      statuses.push((await client.post('/single-sign-on/session', { response: 'code=x' })).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('roles from a claim', () => {
  it('[PPL38] a value of the claim: creates the person with its role and account', async () => {
    provider.people.set('sub-cleo', { groups: ['staff', 'clerks'], preferred_username: 'cleo' });
    const { answer } = await signInAs('sub-cleo');
    expect(answer.body).toMatchObject({
      operator: { name: 'cleo' },
      role: 'runner',
      account: { name: 'Acme' },
    });
    const created = await entriesOf(answer.body.operator.id);
    expect(created.find(({ action }) => action === 'operator.created')).toMatchObject({
      target: answer.body.operator.id,
      details: { role: 'runner', method: 'single-sign-on' },
    });
  });

  it('[PPL38] another value at the next sign-in: the role follows; without one: refused', async () => {
    provider.people.set('sub-cleo', { groups: 'admins' });
    const promoted = (await signInAs('sub-cleo')).answer.body;
    expect(promoted).toMatchObject({ operator: { name: 'cleo' }, role: 'operator', account: null });
    provider.people.set('sub-cleo', { groups: ['staff'] });
    expect(codeOf((await signInAs('sub-cleo')).answer)).toEqual([403, 'NOT_INVITED']);
  });

  it('[PPL38] an invited person: keeps the role of the invitation', async () => {
    provider.people.set('sub-ada', { ...verified('ada@example.com'), groups: ['admins'] });
    expect((await signInAs('sub-ada')).answer.body).toMatchObject({ role: 'designer' });
  });

  it('[PPL38] a removed person: not created again', async () => {
    const cleo = (await people()).find(({ name }) => name === 'cleo');
    await operator.delete(`/operators/${cleo?.id}`);
    provider.people.set('sub-cleo', { groups: ['admins'] });
    expect(codeOf((await signInAs('sub-cleo')).answer)).toEqual([403, 'NOT_INVITED']);
  });

  it('[PPL38] a person who was removed before using single sign-on: not created, until invited again', async () => {
    const { body } = await invite('dora@example.com');
    const { operator: dora } = (await new ConsoleClient(server).signIn(body.link)).body;
    await operator.delete(`/operators/${dora.id}`);
    provider.people.set('sub-dora', { ...verified('Dora@example.com'), groups: ['admins'] });
    expect(codeOf((await signInAs('sub-dora')).answer)).toEqual([403, 'NOT_INVITED']);
    await invite('dora@example.com', { role: 'auditor' });
    expect((await signInAs('sub-dora')).answer.body).toMatchObject({ role: 'auditor' });
  });

  it('[PPL38] an account that does not exist: refused, and nobody is created', async () => {
    const before = (await people()).length;
    provider.people.set('sub-stray', { groups: ['strays'] });
    const { answer } = await signInAs('sub-stray');
    expect([...codeOf(answer), answer.body.error.message]).toEqual([
      403,
      'NOT_INVITED',
      expect.stringContaining('account that does not exist'),
    ]);
    expect(await people()).toHaveLength(before);
  });
});

describe('the provider and its settings', () => {
  it('[PPL36] a provider that does not respond: 503 with the reason; links work, and later the provider', async () => {
    const { client, url } = await begin();
    const response = await provider.signIn(url, 'sub-ops');
    provider.isDown = true;
    expect(codeOf(await complete(client, response))).toEqual([503, 'SINGLE_SIGN_ON_UNAVAILABLE']);
    // The discovery document is read again after ten minutes.
    server.clock.advance(11 * MINUTE_MS);
    const { started } = await begin();
    expect(codeOf(started)).toEqual([503, 'SINGLE_SIGN_ON_UNAVAILABLE']);
    expect(started.body.error.message).toContain(`cannot read the discovery document of ${provider.issuer}`);
    const { body } = await invite('Lin');
    expect((await new ConsoleClient(server).signIn(body.link)).status).toBe(200);
    provider.isDown = false;
    expect((await signInAs('sub-ops')).answer.status).toBe(200);
  });

  it('[PPL32] a sign-in that begins at one node: completed by another', async () => {
    const other = await startBulkfillServer({
      ...env,
      DATABASE_URL: server.env.DATABASE_URL ?? '',
      ROWPRESS_DATA_DIR: server.env.ROWPRESS_DATA_DIR ?? '',
      ROWPRESS_ROLE: 'api',
    });
    try {
      const { client, url } = await begin();
      const there = new ConsoleClient(other);
      there.cookie = client.cookie;
      // Its clock is not that of the first node, which the tests have moved.
      other.clock.advance(server.clock.now().getTime() - other.clock.now().getTime());
      expect((await complete(there, await provider.signIn(url, 'sub-ops'))).status).toBe(200);
    } finally {
      await other.stop();
    }
  });

  it('[PPL30] the settings: name the button, and nothing else of the provider', async () => {
    const { body } = await new ConsoleClient(server).get('/settings');
    expect(body.single_sign_on).toEqual({ label: 'Sign in with Example ID' });
    expect(JSON.stringify(body)).not.toContain('client-secret');
  });

  it('[PPL36] settings that contradict each other: the server starts, without the button', async () => {
    const other = await startBulkfillServer({ ...provider.env, ROWPRESS_OIDC_ISSUER: 'http://id.example' });
    try {
      const client = new ConsoleClient(other);
      expect((await client.get('/settings')).body.single_sign_on).toBeNull();
      expect(codeOf(await client.post('/single-sign-on'))).toEqual([404, 'NOT_FOUND']);
      expect((await client.signIn(other.signInLink)).status).toBe(200);
    } finally {
      await other.stop();
    }
  });
});
