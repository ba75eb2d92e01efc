import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConsoleClient, type Listed, type Session } from '../support/console-client.ts';
import { codeOf, SingleSignOnScene, verified } from '../support/single-sign-on-scene.ts';

let scene: SingleSignOnScene;
beforeAll(async () => {
  scene = await SingleSignOnScene.start();
});
afterAll(() => scene.stop());
beforeEach(() => scene.waitForLimits());
afterEach(() => scene.repairProvider());

const entriesOf = async (id: string) =>
  (
    await scene.operator.get<Listed<{ action: string; details: object | null; target: string | null }>>(
      `/audit?operator=${id}`,
    )
  ).body.items;

describe('an invited person', () => {
  it('[PPL30][PPL33] a verified address: takes the invitation and gets the session of a link', async () => {
    await scene.invite('Ada@Example.com', { role: 'designer', account: 'Acme' });
    scene.provider.people.set('sub-ada', verified('ada@example.com'));
    const { client, answer } = await scene.signInAs('sub-ada');
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
    const { items } = (await scene.operator.get<Listed<{ for: string }>>('/sign-in-links')).body;
    expect(items.map((link) => link.for)).not.toContain('Ada@Example.com');
  });

  it('[PPL37] a sign-in: recorded with its method, and the session can be listed and revoked', async () => {
    const ada = (await scene.people()).find(({ name }) => name === 'Ada@Example.com');
    const { client } = await scene.signInAs('sub-ada');
    const entries = await entriesOf(ada?.id ?? '');
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['signed-in', { method: 'single-sign-on' }],
      ['signed-in', { method: 'single-sign-on' }],
      ['operator.linked', null],
    ]);
    const { items } = (await client.get<Listed<{ id: string; is_current: boolean }>>('/sessions')).body;
    const own = items.find(({ is_current }) => is_current)?.id;
    expect((await scene.operator.delete(`/sessions/${own}`)).status).toBe(204);
    expect((await client.get<Session>('/session')).body.signed_in).toBe(false);
  });

  it('[PPL34] the address changes at the provider: the subject stays the same person', async () => {
    scene.provider.people.set('sub-ada', verified('ada.lovelace@example.com'));
    const { answer } = await scene.signInAs('sub-ada');
    expect(answer.body.operator.name).toBe('Ada@Example.com');
    scene.provider.people.set('sub-other', verified('ada@example.com'));
    expect(codeOf((await scene.signInAs('sub-other')).answer)).toEqual([403, 'NOT_INVITED']);
  });

  it('[PPL33] a person who signed in with a link before: linked by the address', async () => {
    const { body } = await scene.invite('bea@example.com');
    const bea = new ConsoleClient(scene.server);
    const { operator: before } = (await bea.signIn(body.link)).body;
    scene.provider.people.set('sub-bea', verified('bea@example.com'));
    expect((await scene.signInAs('sub-bea')).answer.body.operator).toEqual(before);
  });

  it('[PPL33] two invitations with the address: refused, and both remain', async () => {
    await scene.invite('twin@example.com');
    await scene.invite('twin@example.com', { role: 'auditor' });
    scene.provider.people.set('sub-twin', verified('twin@example.com'));
    const { answer } = await scene.signInAs('sub-twin');
    expect(codeOf(answer)).toEqual([403, 'NOT_INVITED']);
    expect(answer.body.error.message).toContain('More than one person or invitation');
    const { items } = (await scene.operator.get<Listed<{ for: string }>>('/sign-in-links')).body;
    expect(items.filter((link) => link.for === 'twin@example.com')).toHaveLength(2);
  });

  it('[PPL34] a removed person: refused, until an operator invites them again', async () => {
    const bea = (await scene.people()).find(({ name }) => name === 'bea@example.com');
    expect((await scene.operator.delete(`/operators/${bea?.id}`)).status).toBe(204);
    expect(codeOf((await scene.signInAs('sub-bea')).answer)).toEqual([403, 'NOT_INVITED']);
    await scene.invite('bea@example.com', { role: 'auditor' });
    const again = (await scene.signInAs('sub-bea')).answer.body;
    expect(again).toMatchObject({ operator: { name: 'bea@example.com' }, role: 'auditor' });
    expect(again.operator.id).not.toBe(bea?.id);
  });
});

describe('a person whom nobody invited', () => {
  it('[PPL35] an unknown address: named in the response, and nobody is created', async () => {
    const before = await scene.people();
    scene.provider.people.set('sub-eve', verified('eve@example.com'));
    const { client, answer } = await scene.signInAs('sub-eve');
    expect(codeOf(answer)).toEqual([403, 'NOT_INVITED']);
    expect(answer.body.error.message).toContain('Nobody has invited eve@example.com. Ask an operator');
    expect(client.cookie).toBe('');
    expect(await scene.people()).toEqual(before);
  });

  it('[PPL33] an address of the ID token, verified is another one of the userinfo: refused', async () => {
    await scene.invite('victim@example.com');
    scene.provider.people.set('sub-mixed', verified('own@example.com'));
    scene.provider.changeToken = (claims) => ({ ...claims, email: 'victim@example.com' });
    const { answer } = await scene.signInAs('sub-mixed');
    expect(codeOf(answer)).toEqual([403, 'NOT_INVITED']);
    expect(answer.body.error.message).toContain('Nobody has invited own@example.com.');
  });

  it('[PPL33] an address that is not verified: refused, even if it is invited', async () => {
    await scene.invite('mallory@example.com');
    for (const claims of [{ email_verified: false }, {}, { email_verified: 'no' }]) {
      scene.provider.people.set('sub-mallory', { email: 'mallory@example.com', ...claims });
      const { answer } = await scene.signInAs('sub-mallory');
      expect(codeOf(answer)).toEqual([403, 'NOT_INVITED']);
      expect(answer.body.error.message).toContain('has not verified the address mallory@example.com');
    }
    scene.provider.people.set('sub-mallory', {
      preferred_username: 'mallory@example.com',
      name: 'mallory@example.com',
    });
    expect(codeOf((await scene.signInAs('sub-mallory')).answer)).toEqual([403, 'NOT_INVITED']);
  });
});

describe('roles from a claim', () => {
  it('[PPL38] a value of the claim: creates the person with its role and account', async () => {
    scene.provider.people.set('sub-cleo', { groups: ['staff', 'clerks'], preferred_username: 'cleo' });
    const { answer } = await scene.signInAs('sub-cleo');
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
    scene.provider.people.set('sub-cleo', { groups: 'admins' });
    const promoted = (await scene.signInAs('sub-cleo')).answer.body;
    expect(promoted).toMatchObject({ operator: { name: 'cleo' }, role: 'operator', account: null });
    scene.provider.people.set('sub-cleo', { groups: ['staff'] });
    expect(codeOf((await scene.signInAs('sub-cleo')).answer)).toEqual([403, 'NOT_INVITED']);
  });

  it('[PPL38] an invited person: keeps the role of the invitation', async () => {
    scene.provider.people.set('sub-ada', { ...verified('ada@example.com'), groups: ['admins'] });
    expect((await scene.signInAs('sub-ada')).answer.body).toMatchObject({ role: 'designer' });
  });

  it('[PPL38] a removed person: not created again', async () => {
    const cleo = (await scene.people()).find(({ name }) => name === 'cleo');
    await scene.operator.delete(`/operators/${cleo?.id}`);
    scene.provider.people.set('sub-cleo', { groups: ['admins'] });
    expect(codeOf((await scene.signInAs('sub-cleo')).answer)).toEqual([403, 'NOT_INVITED']);
  });

  it('[PPL38] a person who was removed before using single sign-on: not created, until invited again', async () => {
    const { body } = await scene.invite('dora@example.com');
    const { operator: dora } = (await new ConsoleClient(scene.server).signIn(body.link)).body;
    await scene.operator.delete(`/operators/${dora.id}`);
    scene.provider.people.set('sub-dora', { ...verified('Dora@example.com'), groups: ['admins'] });
    expect(codeOf((await scene.signInAs('sub-dora')).answer)).toEqual([403, 'NOT_INVITED']);
    await scene.invite('dora@example.com', { role: 'auditor' });
    expect((await scene.signInAs('sub-dora')).answer.body).toMatchObject({ role: 'auditor' });
  });

  it('[PPL38] an account that does not exist: refused, and nobody is created', async () => {
    const before = (await scene.people()).length;
    scene.provider.people.set('sub-stray', { groups: ['strays'] });
    const { answer } = await scene.signInAs('sub-stray');
    expect([...codeOf(answer), answer.body.error.message]).toEqual([
      403,
      'NOT_INVITED',
      expect.stringContaining('account that does not exist'),
    ]);
    expect(await scene.people()).toHaveLength(before);
  });
});
