import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBulkfillServer } from '../support/bulkfill-server.ts';
import { ConsoleClient, type Listed, type Session, signedIn } from '../support/console-client.ts';
import { idOf, type ListedPasskey, optionsFor, outcome, PasskeyScene } from '../support/passkey-scene.ts';
import { RefusingAudit } from '../support/refusing-audit.ts';
import { assertion, makePasskey, registration } from '../support/software-authenticator.ts';

let scene: PasskeyScene;
beforeAll(async () => {
  scene = await PasskeyScene.start();
});
afterAll(() => scene.server.stop());

describe('adding and using a passkey', () => {
  it('[PPL20][PPL21] a passkey that was added: signs in its person with an ordinary session', async () => {
    const ada = await scene.join('Ada');
    const { passkey, listed } = await scene.add(ada, 'Ada’s laptop');
    expect(listed).toMatchObject({
      name: 'Ada’s laptop',
      rp_id: 'localhost',
      last_used_at: null,
      is_own: true,
    });
    const { status, body, headers, client } = await scene.signIn(passkey);
    expect([status, body.operator]).toEqual([200, { id: await idOf(ada), name: 'Ada' }]);
    expect(headers.get('set-cookie')).toMatch(
      /^rowpress_session=[A-Za-z0-9]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
    );
    const sessions = (await client.get<Listed<{ id: string; is_current: boolean }>>('/sessions')).body.items;
    const current = sessions.find(({ is_current }) => is_current);
    const own = (await client.get<Listed<ListedPasskey>>('/passkeys')).body.items.find(
      ({ is_own }) => is_own,
    );
    expect(Date.parse(own?.last_used_at ?? '')).toBeGreaterThanOrEqual(Date.parse(listed.created_at));
    expect((await scene.operator.delete(`/sessions/${current?.id}`)).status).toBe(204);
    expect((await client.get<Session>('/session')).body).toEqual({ signed_in: false });
  });

  it('[PPL20] the options: name the host, require verification and exclude the passkeys that exist', async () => {
    const eve = await scene.join('Eve');
    const { passkey } = await scene.add(eve);
    expect(await optionsFor(eve)).toMatchObject({
      rp: { id: 'localhost', name: 'Rowpress' },
      user: { name: 'Eve' },
      excludeCredentials: [{ id: passkey.id.toString('base64url') }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(await scene.signInOptions()).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  });

  it('[PPL20] the same passkey a second time, or a twenty-first one: 409', async () => {
    const bob = await scene.join('Bob');
    const { passkey } = await scene.add(bob);
    const again = await bob.post('/passkeys', {
      name: 'Again',
      credential: registration(passkey, await optionsFor(bob), scene.page),
    });
    expect(outcome(again)).toEqual([409, 'PASSKEY_EXISTS']);
    scene.waitForLimits();
    for (let n = 2; n <= 19; n += 1) await scene.add(bob, `Key ${n}`);
    scene.waitForLimits();
    // Two at the same moment: one is the twentieth.
    const both = await Promise.all(
      ['A', 'B'].map(async (name) => {
        const options = await optionsFor(bob);
        const credential = registration(makePasskey(options.user.id), options, scene.page);
        return bob.post('/passkeys', { name, credential });
      }),
    );
    expect(both.map(outcome).sort()).toEqual([
      [201, undefined],
      [409, 'TOO_MANY_PASSKEYS'],
    ]);
  });

  it('[PPL27] a body that is too large or not a response of a browser: 413 or 400', async () => {
    const huge = { name: 'x', credential: 'x'.repeat(20_000) };
    expect(outcome(await scene.operator.post('/passkeys', huge))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const nobody = scene.nobody();
    expect(outcome(await nobody.post('/session/passkey', huge))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(outcome(await nobody.post('/session/passkey', { id: 'x' }))).toEqual([400, 'INVALID_FIELD']);
    const { passkey } = await scene.add(scene.operator, 'Body');
    const unreadable = assertion(passkey, { challenge: '' }, scene.page);
    unreadable.response.clientDataJSON = Buffer.from('[').toString('base64url');
    expect(outcome(await nobody.post('/session/passkey', unreadable))).toEqual([
      400,
      'PASSKEY_CHALLENGE_INVALID',
    ]);
  });

  it('[PPL27] more than twenty challenges a minute for one address: 429', async () => {
    scene.waitForLimits();
    const nobody = scene.nobody();
    const statuses: number[] = [];
    for (let n = 0; n < 22; n += 1) statuses.push((await nobody.post('/session/passkey-options')).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
    scene.waitForLimits();
    expect((await nobody.post('/session/passkey-options')).status).toBe(200);
  });
});

describe('managing passkeys', () => {
  const names = async (client: ConsoleClient) =>
    (await client.get<Listed<ListedPasskey>>('/passkeys?limit=100')).body.items.map(({ name }) => name);

  it('[PPL25] people: see, rename and remove their own; those of others are 404', async () => {
    const account = (await scene.server.account()).name;
    const [runner, designer] = [
      await scene.join('Run', 'runner', account),
      await scene.join('Des', 'designer', account),
    ];
    const { listed } = await scene.add(runner, 'Phone');
    expect([await names(runner), await names(designer)]).toEqual([['Phone'], []]);
    expect(outcome(await designer.patch(`/passkeys/${listed.id}`, { name: 'Mine' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(outcome(await designer.delete(`/passkeys/${listed.id}`))).toEqual([404, 'NOT_FOUND']);
    expect((await runner.patch(`/passkeys/${listed.id}`, { name: 'Old phone' })).status).toBe(204);
    expect(await names(runner)).toEqual(['Old phone']);
    expect((await runner.delete(`/passkeys/${listed.id}`)).status).toBe(204);
    expect(await names(runner)).toEqual([]);
    expect(outcome(await runner.delete(`/passkeys/${listed.id}`))).toEqual([404, 'NOT_FOUND']);
  });

  it('[PPL25] operators: see the passkeys of all, and remove that of a lost device; auditors only see', async () => {
    const [auditor, person] = [await scene.join('Aud', 'auditor'), await scene.join('Lost')];
    const { passkey, listed } = await scene.add(person, 'Lost phone');
    expect(await names(auditor)).toContain('Lost phone');
    expect(outcome(await auditor.delete(`/passkeys/${listed.id}`))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await scene.operator.patch(`/passkeys/${listed.id}`, { name: 'Mine' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(await names(scene.operator)).toContain('Lost phone');
    expect((await scene.operator.delete(`/passkeys/${listed.id}`)).status).toBe(204);
    expect(outcome(await scene.signIn(passkey))).toEqual([401, 'PASSKEY_UNKNOWN']);
    expect((await person.get<Session>('/session')).body.signed_in).toBe(true);
  });

  it('[PPL26] adding, renaming, removing and signing in: recorded with a link to the person', async () => {
    const person = await scene.join('Audited');
    const id = await idOf(person);
    const { passkey, listed } = await scene.add(person, 'First');
    await person.patch(`/passkeys/${listed.id}`, { name: 'Second' });
    await scene.signIn(passkey);
    await scene.operator.delete(`/passkeys/${listed.id}`);
    const { items } = (
      await scene.operator.get<
        Listed<{ action: string; target: string; details: object; link: object | null }>
      >('/audit?limit=4')
    ).body;
    const link = { kind: 'operator', name: 'Audited', path: `/console/operators?operator=${id}` };
    const about = (name: string) => ({ target: listed.id, details: { operator_id: id, name }, link });
    expect(items).toMatchObject([
      { action: 'passkey.removed', ...about('Second') },
      { action: 'signed-in', details: { method: 'passkey', passkey_id: listed.id } },
      { action: 'passkey.renamed', ...about('Second') },
      { action: 'passkey.added', ...about('First') },
    ]);
  });

  it('[PPL12][PPL26] a change whose audit entry cannot be written: does not happen, and can be repeated', async () => {
    const person = await scene.join('Refused');
    const { passkey, listed } = await scene.add(person);
    const audit = new RefusingAudit(scene.server.env.DATABASE_URL ?? '');
    await audit.prepare();
    const options = await optionsFor(person);
    const credential = registration(makePasskey(options.user.id), options, scene.page);
    passkey.counter += 1;
    const used = assertion(passkey, await scene.signInOptions(), scene.page);
    try {
      for (const send of [
        () => person.post('/passkeys', { name: 'Other', credential }),
        () => person.patch(`/passkeys/${listed.id}`, { name: 'Renamed' }),
        () => scene.nobody().post('/session/passkey', used),
        () => person.delete(`/passkeys/${listed.id}`),
      ]) {
        await audit.set('refuses');
        const before = await audit.digest();
        expect((await send()).status).toBeGreaterThanOrEqual(500);
        expect(await audit.digest()).toBe(before);
        await audit.set('accepts');
        expect((await send()).status).toBeLessThan(300);
        expect(await audit.digest()).not.toBe(before);
      }
    } finally {
      await audit.close();
    }
  });
});

describe('addresses', () => {
  const code = async (url: string, headers: Record<string, string> = {}) => {
    const client = new ConsoleClient({ url });
    return (await client.request('POST', '/session/passkey-options', { headers })).body.error;
  };

  it('[PPL28] an IP address: explains that localhost works', async () => {
    scene.waitForLimits();
    const error = await code(scene.server.url);
    expect(error.code).toBe('PASSKEY_ADDRESS_UNSUITABLE');
    expect(error.message).toContain(`the address is ${scene.server.url}. Open ${scene.local.url} instead.`);
  });

  it('[PPL22][PPL28] two nodes behind one public address: one creates the challenge, the other accepts it', async () => {
    const env = { ROWPRESS_PUBLIC_URL: 'https://rowpress.example/app', ROWPRESS_ROLE: 'api' };
    const first = await startBulkfillServer(env);
    const second = await startBulkfillServer({
      ...env,
      DATABASE_URL: first.env.DATABASE_URL ?? '',
      ROWPRESS_DATA_DIR: first.env.ROWPRESS_DATA_DIR ?? '',
    });
    try {
      const [one, two] = [await signedIn(first), new ConsoleClient(second)];
      const options = await optionsFor(one);
      const passkey = makePasskey(options.user.id);
      const there = { origin: 'https://rowpress.example', rpId: 'rowpress.example' };
      two.cookie = one.cookie;
      two.csrf = one.csrf;
      const credential = registration(passkey, options, there);
      expect((await two.post('/passkeys', { name: 'Shared', credential })).status).toBe(201);
      const used = assertion(passkey, await scene.signInOptions(one), there);
      expect((await new ConsoleClient(second).post('/session/passkey', used)).status).toBe(200);
    } finally {
      await second.stop();
      await first.stop();
    }
  });
});
