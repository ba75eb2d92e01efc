import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBulkfillServer } from '../support/bulkfill-server.ts';
import { ConsoleClient } from '../support/console-client.ts';
import {
  codeOf,
  complete,
  MINUTE_MS,
  PUBLIC_URL,
  SingleSignOnScene,
} from '../support/single-sign-on-scene.ts';

let scene: SingleSignOnScene;
beforeAll(async () => {
  scene = await SingleSignOnScene.start();
  scene.provider.people.set('sub-ops', { groups: ['admins'] });
});
afterAll(() => scene.stop());
beforeEach(() => scene.waitForLimits());
afterEach(() => scene.repairProvider());

describe('a response that does not belong to the sign-in', () => {
  const FAILED = [401, 'SINGLE_SIGN_ON_FAILED'];

  it('[PPL32] a replayed response: refused, even with the cookie of its sign-in', async () => {
    const { client, url } = await scene.begin();
    const cookie = client.cookie;
    const response = await scene.provider.signIn(url, 'sub-ops');
    expect((await complete(client, response)).status).toBe(200);
    const again = new ConsoleClient(scene.server);
    again.cookie = cookie;
    expect(codeOf(await complete(again, response))).toEqual(FAILED);
    expect(codeOf(await complete(new ConsoleClient(scene.server), response))).toEqual(FAILED);
  });

  it('[PPL32] two uses at the same moment: one signs in', async () => {
    const { client, url } = await scene.begin();
    const response = await scene.provider.signIn(url, 'sub-ops');
    const twin = new ConsoleClient(scene.server);
    twin.cookie = client.cookie;
    const both = await Promise.all([complete(client, response), complete(twin, response)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('[PPL32] a sign-in that began more than ten minutes ago: refused', async () => {
    const { client, url } = await scene.begin();
    const response = await scene.provider.signIn(url, 'sub-ops');
    scene.server.clock.advance(10 * MINUTE_MS + 1_000);
    expect(codeOf(await complete(client, response))).toEqual(FAILED);
  });

  it('[PPL31] the cookie of the sign-in: out of reach of scripts, for ten minutes', async () => {
    const { started } = await scene.begin();
    expect(started.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^rowpress_sso=\w{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ]);
    const url = new URL(started.body.authorization_url);
    expect(url.origin).toBe(scene.provider.issuer);
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
    const { client, url } = await scene.begin();
    const response = new URLSearchParams(await scene.provider.signIn(url, 'sub-ops'));
    change(response);
    expect(codeOf(await complete(client, response.toString()))).toEqual(FAILED);
  });

  it('[PPL31] the response of another browser: refused', async () => {
    const [mine, other] = [await scene.begin(), await scene.begin()];
    const response = await scene.provider.signIn(other.url, 'sub-ops');
    expect(codeOf(await complete(mine.client, response))).toEqual(FAILED);
  });

  it('[PPL31] a token with another nonce, audience, issuer, signature or an old expiry: refused', async () => {
    const wrong: readonly (readonly [string, (claims: object) => Record<string, unknown>])[] = [
      ['nonce', (claims) => ({ ...claims, nonce: 'other' })],
      ['audience', (claims) => ({ ...claims, aud: 'other' })],
      ['issuer', (claims) => ({ ...claims, iss: 'https://other.example' })],
      ['expiry', (claims) => ({ ...claims, exp: 1_700_000_000 })],
    ];
    const outcome = async () => codeOf((await scene.signInAs('sub-ops')).answer);
    for (const [name, change] of wrong) {
      scene.provider.changeToken = change;
      expect([name, ...(await outcome())]).toEqual([name, ...FAILED]);
    }
    scene.provider.changeToken = (claims) => claims;
    expect(await outcome()).toEqual([200, undefined]);
    scene.provider.breaksSignatures = true;
    expect(await outcome()).toEqual(FAILED);
  });

  it('[PPL36] a sign-in that is cancelled at the provider: says so without the text of the provider', async () => {
    const { client, url } = await scene.begin();
    const answer = await complete(client, await scene.provider.signIn(url));
    expect(codeOf(answer)).toEqual(FAILED);
    expect(answer.body.error.message).toContain('did not sign you in (access_denied)');
    expect(answer.body.error.message).not.toContain('<b>');
  });

  it('[PPL32] more than twenty requests a minute from one address: 429', async () => {
    const client = new ConsoleClient(scene.server);
    const statuses: number[] = [];
    for (let i = 0; i < 25; i += 1)
      statuses.push((await client.post('/single-sign-on/session', { response: 'code=x' })).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('the provider and its settings', () => {
  it('[PPL36] a provider that does not respond: 503 with the reason; links work, and later the provider', async () => {
    const { client, url } = await scene.begin();
    const response = await scene.provider.signIn(url, 'sub-ops');
    scene.provider.isDown = true;
    expect(codeOf(await complete(client, response))).toEqual([503, 'SINGLE_SIGN_ON_UNAVAILABLE']);
    // The discovery document is read again after ten minutes.
    scene.server.clock.advance(11 * MINUTE_MS);
    const { started } = await scene.begin();
    expect(codeOf(started)).toEqual([503, 'SINGLE_SIGN_ON_UNAVAILABLE']);
    expect(started.body.error.message).toContain(
      `cannot read the discovery document of ${scene.provider.issuer}`,
    );
    const { body } = await scene.invite('Lin');
    expect((await new ConsoleClient(scene.server).signIn(body.link)).status).toBe(200);
    scene.provider.isDown = false;
    expect((await scene.signInAs('sub-ops')).answer.status).toBe(200);
  });

  it('[PPL32] a sign-in that begins at one node: completed by another', async () => {
    const other = await startBulkfillServer({
      ...scene.env,
      DATABASE_URL: scene.server.env.DATABASE_URL ?? '',
      ROWPRESS_DATA_DIR: scene.server.env.ROWPRESS_DATA_DIR ?? '',
      ROWPRESS_ROLE: 'api',
    });
    try {
      const { client, url } = await scene.begin();
      const there = new ConsoleClient(other);
      there.cookie = client.cookie;
      // Its clock is not that of the first node, which the tests have moved.
      other.clock.advance(scene.server.clock.now().getTime() - other.clock.now().getTime());
      expect((await complete(there, await scene.provider.signIn(url, 'sub-ops'))).status).toBe(200);
    } finally {
      await other.stop();
    }
  });

  it('[PPL30] the settings: name the button, and nothing else of the provider', async () => {
    const { body } = await new ConsoleClient(scene.server).get('/settings');
    expect(body.single_sign_on).toEqual({ label: 'Sign in with Example ID' });
    expect(JSON.stringify(body)).not.toContain('client-secret');
  });

  it('[PPL36] settings that contradict each other: the server starts, without the button', async () => {
    const other = await startBulkfillServer({
      ...scene.provider.env,
      ROWPRESS_OIDC_ISSUER: 'http://id.example',
    });
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
