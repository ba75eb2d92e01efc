import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BulkfillServer, startBulkfillServer } from '../support/bulkfill-server.ts';
import { rowpressJson } from '../support/cli.ts';
import { type ConsoleClient, type Listed, signedIn } from '../support/console-client.ts';

let server: BulkfillServer;
let operator: ConsoleClient;
beforeAll(async () => {
  server = await startBulkfillServer({
    ROWPRESS_SESSION_IDLE_SECONDS: '315360000',
    ROWPRESS_SESSION_MAX_SECONDS: '315360000',
  });
  operator = await signedIn(server);
});
afterAll(() => server.stop());

interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly active: boolean;
}
interface Key {
  readonly id: string;
  readonly key: string;
  readonly state: string;
  readonly expires_at: string | null;
}

const codeOf = (answer: { status: number; body: { error?: { code: string } } }) => [
  answer.status,
  answer.body.error?.code,
];

describe('accounts', () => {
  it('[CON80] the default account: created once by concurrent requests, audited, and never beside another account', async () => {
    const create = () => operator.post<{ created: boolean }>('/accounts/default');
    const names = async () =>
      (await operator.get<Listed<Account>>('/accounts')).body.items.map(({ name, plan, active }) => [
        name,
        plan,
        active,
      ]);
    expect(await names()).toEqual([]);
    const answers = await Promise.all([create(), create(), create(), create()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1);
    expect(await names()).toEqual([['Default', 'unlimited', true]]);
    const { items } = (await operator.get<Listed<{ action: string; account: string }>>('/audit')).body;
    expect(items.filter(({ action }) => action === 'account.created')).toEqual([
      expect.objectContaining({ account: 'Default', details: { plan: 'unlimited' } }),
    ]);
    expect((await create()).body).toEqual({ created: false });
    expect(await names()).toHaveLength(1);
  });

  it('[CON12] an account: created with the default plan, listed and changed; its name is unique', async () => {
    const made = await operator.post<Account>('/accounts', { name: 'Müller & Söhne' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: 'Müller & Söhne', plan: 'unlimited', active: true });
    expect(codeOf(await operator.post('/accounts', { name: 'Müller & Söhne' }))).toEqual([
      409,
      'ACCOUNT_EXISTS',
    ]);
    const { id } = made.body;
    const changed = await operator.patch<Account>(`/accounts/${id}`, { plan: 'free', active: false });
    expect(changed.body).toMatchObject({ id, plan: 'free', active: false });
    const { items } = (await operator.get<Listed<Account>>('/accounts')).body;
    expect(items.find((account) => account.id === id)).toEqual(changed.body);
  });

  it('[CON12] an unknown plan, an empty change or an unknown account: rejected with the field', async () => {
    const plan = await operator.post('/accounts', { name: 'planless', plan: 'gold' });
    expect(plan.body.error).toMatchObject({
      code: 'INVALID_FIELD',
      field: 'plan',
      request_id: expect.any(String),
    });
    expect(codeOf(await operator.post('/accounts', { name: ' blank' }))).toEqual([400, 'INVALID_FIELD']);
    expect(codeOf(await operator.post('/accounts', { name: 'x', extra: 1 }))).toEqual([400, 'INVALID_FIELD']);
    const { name } = await server.account();
    expect(codeOf(await operator.patch(`/accounts/${name}`, {}))).toEqual([400, 'INVALID_FIELD']);
    expect(codeOf(await operator.patch('/accounts/nobody', { active: true }))).toEqual([
      404,
      'ACCOUNT_UNKNOWN',
    ]);
    // Rejected before it reaches a route (HTTP30).
    expect(codeOf(await operator.patch('/accounts/no%00body', { active: true }))).toEqual([404, 'NOT_FOUND']);
  });

  it('[CON12] plans: listed with their limits', async () => {
    const { items } = (await operator.get<Listed<object>>('/plans')).body;
    expect(items).toContainEqual({
      name: 'free',
      rows_per_month: 100,
      max_pdf_bytes: 20_000_000,
      max_stored_bytes: null,
      default: false,
    });
    expect(items).toContainEqual({
      name: 'unlimited',
      rows_per_month: null,
      max_pdf_bytes: null,
      max_stored_bytes: null,
      default: true,
    });
  });

  it('a long list: in pages', async () => {
    for (const name of ['page-1', 'page-2', 'page-3']) await operator.post('/accounts', { name });
    const names: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; page < 50 && cursor !== null; page += 1) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await operator.get<Listed<Account>>(`/accounts?limit=2${more}`);
      expect(body.items.length).toBeLessThanOrEqual(2);
      names.push(...body.items.map(({ name }) => name));
      cursor = body.next_cursor;
    }
    expect(names.filter((name) => name.startsWith('page-'))).toEqual(['page-1', 'page-2', 'page-3']);
    expect(new Set(names).size).toBe(names.length);
    expect(codeOf(await operator.get('/accounts?cursor=nothing'))).toEqual([400, 'INVALID_FIELD']);
    expect(codeOf(await operator.get('/accounts?limit=101'))).toEqual([400, 'INVALID_FIELD']);
  });
});

describe('keys', () => {
  const authorized = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${server.url}/v1/bulkfill/export-jobs`, { headers })).status;
  };

  it('[CON13] a key: works until it is revoked, which takes effect at once', async () => {
    const { name } = await server.account();
    const order = { surface: 'bulkfill', account: name, days: 30, name: 'nightly' };
    const made = await operator.post<Key>('/keys', order);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ state: 'live', account: name, name: 'nightly' });
    expect(await authorized(made.body.key)).toBe(200);
    const listed = (await operator.get<Listed<Key>>(`/keys?account=${name}&surface=bulkfill`)).body.items;
    expect(listed.map(({ id }) => id)).toContain(made.body.id);
    expect(JSON.stringify(listed)).not.toContain(made.body.key.split('.')[1]);
    const revoked = await operator.delete<Key>(`/keys/${made.body.id}`);
    expect([revoked.status, revoked.body.state]).toEqual([200, 'revoked']);
    expect(await authorized(made.body.key)).toBe(403);
    expect((await operator.delete<Key>(`/keys/${made.body.id}`)).body).toEqual(revoked.body);
    expect(codeOf(await operator.delete('/keys/nothing'))).toEqual([404, 'NOT_FOUND']);
  });

  it('[CON13] the sixth live Bulk Fill key of an account: 409', async () => {
    const { name } = await server.account();
    const order = { surface: 'bulkfill', account: name };
    for (let i = 0; i < 4; i += 1) {
      expect((await operator.post('/keys', order)).status).toBe(201);
      server.clock.advance(601_000);
    }
    expect(codeOf(await operator.post('/keys', order))).toEqual([409, 'TOO_MANY_KEYS']);
  });

  it('[CON13] more than three creates or ten revocations in ten minutes: 429 for that account only', async () => {
    const [one, two] = [await server.account(), await server.account()];
    const order = { surface: 'bulkfill', account: one.name };
    for (let i = 0; i < 3; i += 1) expect((await operator.post('/keys', order)).status).toBe(201);
    const limited = await operator.post('/keys', order);
    expect(codeOf(limited)).toEqual([429, 'RATE_LIMITED']);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(500);
    expect((await operator.post('/keys', { ...order, account: two.id })).status).toBe(201);
    for (let i = 0; i < 10; i += 1) expect((await operator.delete(`/keys/${one.keyId}`)).status).toBe(200);
    expect(codeOf(await operator.delete(`/keys/${one.keyId}`))).toEqual([429, 'RATE_LIMITED']);
  });

  it('[CON13] more than ten creates in an hour or thirty in a day: 429', async () => {
    const { name, keyId } = await server.account();
    // Five keys can be live, so the oldest is revoked first. The console allows fifty changes a day, the command line any number.
    const live = [keyId];
    let revoked = 0;
    const made = async () => {
      const oldest = live.length === 5 ? live.shift() : undefined;
      if (oldest !== undefined && ++revoked <= 20) await operator.delete(`/keys/${oldest}`);
      else if (oldest !== undefined) await rowpressJson(['keys', 'revoke', oldest], server.env);
      const { status, body } = await operator.post<Key>('/keys', { surface: 'bulkfill', account: name });
      if (status === 201) live.push(body.id);
      return status;
    };
    let created = 0;
    let hours = 0;
    for (; hours < 6; hours += 1) {
      const before = created;
      for (let burst = 0; burst < 4; burst += 1) {
        for (let i = 0; i < 3; i += 1) if ((await made()) === 201) created += 1;
        server.clock.advance(601_000);
      }
      if (created === before) break;
      expect(created - before).toBe(10);
      server.clock.advance(3_600_000);
    }
    expect([created, hours]).toEqual([30, 3]);
    server.clock.advance(86_400_000);
    expect(await made()).toBe(201);
  });

  it('[CON13] keys of the other surfaces: have scopes, a partner and warehouses', async () => {
    const { name } = await server.account();
    const people = await operator.post<Key>('/keys', {
      surface: 'subscribers',
      account: name,
      scopes: ['subscribers:read'],
    });
    expect(people.body).toMatchObject({ scopes: ['subscribers:read'], expires_at: null });
    const partner = await operator.post('/keys', {
      surface: 'ingest',
      account: name,
      partner: 'acme',
      warehouses: ['w1'],
    });
    expect(partner.body).toMatchObject({ partner: 'acme', warehouses: ['w1'] });
    const { body } = await operator.get<{ lifetimes: number[]; surfaces: object[] }>('/keys/options');
    expect(body.lifetimes).toEqual([30, 90, 180, 365]);
    expect(body.surfaces).toHaveLength(3);
  });

  it('[KEY23] a rotated key: shows the successor once, ends the old key and is audited', async () => {
    const { name, keyId } = await server.account();
    const rotated = await operator.post<Key & { replaces: object }>(`/keys/${keyId}/rotate`, {
      overlap_hours: 1,
    });
    expect(rotated.status).toBe(201);
    expect(rotated.body.key).toContain('doqlo_bfexp_');
    expect(rotated.body.replaces).toMatchObject({ id: keyId });
    const { items } = (await operator.get<Listed<Key>>(`/keys?account=${name}`)).body;
    expect(items).toContainEqual(
      expect.objectContaining({ id: keyId, state: 'live', replaced_by: rotated.body.id }),
    );
    const again = await operator.post(`/keys/${keyId}/rotate`, {});
    expect(codeOf(again)).toEqual([409, 'KEY_IN_ROTATION']);
    expect(codeOf(await operator.post('/keys/nothing/rotate', {}))).toEqual([404, 'NOT_FOUND']);
    await operator.delete(`/keys/${rotated.body.id}`);
    expect(codeOf(await operator.post(`/keys/${rotated.body.id}/rotate`, {}))).toEqual([409, 'KEY_NOT_LIVE']);
    const actions = (await operator.get<Listed<{ action: string; target: string }>>('/audit')).body.items;
    expect(actions).toContainEqual(expect.objectContaining({ action: 'key.rotated', target: keyId }));
  });

  it('[KEY24] a key with IP ranges: created; text that is not a range: rejected', async () => {
    const { name } = await server.account();
    const order = { surface: 'ingest', account: name };
    const made = await operator.post<Key>('/keys', { ...order, ip_ranges: ['10.0.0.0/8', '192.0.2.7'] });
    expect(made.body).toMatchObject({ ip_ranges: ['10.0.0.0/8', '192.0.2.7/32'] });
    const wrong = await operator.post('/keys', { ...order, ip_ranges: ['10.0.0.0/40'] });
    expect([wrong.status, wrong.body.error.field]).toEqual([400, 'ip_ranges.0']);
    const ask = await fetch(`${server.url}/wms-ingest/v1/capabilities`, {
      headers: { authorization: `Bearer ${made.body.key}` },
    });
    expect(ask.status).toBe(401);
  });

  it('[KEY25] a key that was refused: shows when, from where and why', async () => {
    const { body: account } = await operator.post<Account>('/accounts', { name: 'refused' });
    const order = { surface: 'ingest', account: account.name, ip_ranges: ['192.0.2.8'] };
    const { key } = (await operator.post<Key>('/keys', order)).body;
    const read = async () => (await operator.get<Listed<object>>('/keys?account=refused')).body.items[0];
    expect(await read()).toMatchObject({ last_refused: null });
    // A node writes rejections at intervals, and when it stops.
    const node = await startBulkfillServer({
      DATABASE_URL: server.env.DATABASE_URL ?? '',
      ROWPRESS_DATA_DIR: server.env.ROWPRESS_DATA_DIR ?? '',
      ROWPRESS_ROLE: 'api',
      TRUST_PROXY: '127.0.0.1',
    });
    const use = async (secret: string, from: string) => {
      const headers = { authorization: `Bearer ${secret}`, 'x-forwarded-for': from };
      return (await fetch(`${node.url}/wms-ingest/v1/capabilities`, { headers })).status;
    };
    expect(await use(key, '192.0.2.8')).toBe(200);
    for (let i = 0; i < 3; i += 1) {
      const forged = key.replace(/.{8}$/, 'AAAAAAAA');
      expect(await use(forged, '192.0.2.7')).toBe(401);
    }
    node.clock.advance(60_000);
    const at = node.clock.now().getTime();
    expect(await use(key, '192.0.2.9')).toBe(401);
    await node.stop();
    expect(await read()).toMatchObject({
      last_refused: { at: expect.any(String), address: '192.0.2.9', reason: 'address', count: 4 },
    });
    const { last_refused } = (await read()) as { last_refused: { at: string } };
    expect(Date.parse(last_refused.at)).toBeGreaterThanOrEqual(at);
  });

  it('[KEY27] a key that expires soon: listed above the keys and on the health page', async () => {
    const { name } = await server.account();
    const order = { surface: 'bulkfill', account: name, days: 30 };
    const { id, expires_at } = (await operator.post<Key>('/keys', order)).body;
    server.clock.advance(25 * 86_400_000);
    const shown = { id, name: '', account: name, surface: 'bulkfill', expires_at };
    expect((await operator.get('/keys/expiring')).body).toMatchObject({
      within_days: 14,
      items: expect.arrayContaining([shown]),
    });
    expect((await operator.get('/health')).body).toMatchObject({
      expiring_keys: expect.arrayContaining([shown]),
    });
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/rowpress_keys_expiring\{surface="bulkfill",within_days="14"\} [1-9]/);
    expect(metrics).toContain('rowpress_keys_expiring{surface="ingest",within_days="3"} 0');
  });

  it('[KEY20] the console offers the read scopes of a Bulk Fill key: they are off unless chosen', async () => {
    const { name } = await server.account();
    const order = { surface: 'bulkfill', account: name };
    const { body: options } = await operator.get<{ surfaces: object[] }>('/keys/options');
    expect(options.surfaces).toContainEqual(
      expect.objectContaining({
        name: 'bulkfill',
        optional_scopes: ['seal', 'read:subscribers', 'read:ingest'],
      }),
    );
    expect((await operator.post('/keys', order)).body).toMatchObject({ scopes: [] });
    const scopes = ['read:ingest'];
    expect((await operator.post('/keys', { ...order, scopes })).body).toMatchObject({ scopes });
  });

  it.each([
    ['an unknown scope', { surface: 'subscribers', scopes: ['everything'] }, 'scopes'],
    ['a partner elsewhere', { surface: 'bulkfill', partner: 'acme' }, 'partner'],
    ['another lifetime', { surface: 'bulkfill', days: 31 }, 'days'],
    ['an unknown surface', { surface: 'mail' }, 'surface'],
  ])('[CON13] a key with %s: rejected', async (_, order, field) => {
    const { name } = await server.account();
    const { status, body } = await operator.post('/keys', { account: name, ...order });
    expect([status, body.error.code, body.error.field]).toEqual([400, 'INVALID_FIELD', field]);
  });

  it('[CON13] a key for an unknown account: rejected, and no account is created', async () => {
    const order = { surface: 'bulkfill', account: 'typo' };
    expect(codeOf(await operator.post('/keys', order))).toEqual([404, 'ACCOUNT_UNKNOWN']);
  });
});

it('[CON19] [FILL191] settings without a session: returned', async () => {
  const settings = await (await fetch(`${server.url}/operator/v1/settings`)).json();
  expect(settings).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+/),
    seal_public_keys: [expect.stringMatching(/^[0-9a-f]{64}$/)],
    limits: { max_rows: 100_000, max_columns: 5000, max_pages: 2000, max_cell_chars: 10_000 },
    keep_pdf_actions: false,
    public_url: null,
    base_path: '',
  });
});

it('[CON20] [SBX11] health: measured values, and the layers of the sandbox', async () => {
  const { body } = await operator.get('/health');
  expect(body).toMatchObject({
    database: {
      version: expect.any(String),
      size_bytes: expect.any(Number),
      connections: expect.any(Number),
    },
    disk: { blob_bytes: expect.any(Number), free_bytes: expect.any(Number), floor_bytes: 512_000_000 },
    memory_budget: { used_bytes: 0, total_bytes: expect.any(Number) },
    versions: { node: process.versions.node },
    sandbox: {
      namespaces: expect.any(Boolean),
      seccomp: expect.any(Boolean),
      no_new_privs: expect.any(Boolean),
      cgroup: expect.any(Boolean),
      user: expect.any(Boolean),
    },
    background_errors: [],
  });
  expect((body.queues as { name: string }[]).map(({ name }) => name)).toEqual(['slice', 'settle', 'webhook']);
});

it('[CON21][PPL40] changes by operators, and the sign-in with a link: recorded and listed newest first', async () => {
  const { body: account } = await operator.post<Account>('/accounts', { name: 'audited' });
  const headers = { 'content-type': 'application/json', 'x-request-id': 'audit-1' };
  await operator.request('PATCH', '/accounts/audited', { headers, body: '{"active":false}' });
  const { items } = (await operator.get<Listed<{ action: string }>>('/audit?limit=2')).body;
  expect(items).toEqual([
    {
      id: expect.any(String),
      seq: expect.any(Number),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      at: expect.any(String),
      operator: { id: expect.any(String), name: 'operator' },
      action: 'account.changed',
      account: account.name,
      target: null,
      details: { active: false },
      link: { kind: 'account', name: 'audited', path: '/console/accounts?account=audited' },
      request_id: 'audit-1',
    },
    expect.objectContaining({ action: 'account.created', account: 'audited' }),
  ]);
  const all = (await operator.get<Listed<object>>('/audit?limit=100')).body.items;
  expect(all.at(-1)).toMatchObject({ action: 'signed-in', details: { method: 'link' } });
});
