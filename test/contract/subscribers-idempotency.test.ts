import { expect, test } from 'vitest';
import { exportedTables, tablesThatStore } from '../support/exported-tables.ts';
import { EMAIL, openScene, sharedScene } from '../support/subscribers-scene.ts';

const scene = sharedScene();
const IMPORTS = '/v1/jobs/subscriber-imports';
const body = { csv_text: 'Email\nada@example.com\n', mappings: [EMAIL] };
const withKey = (key: string) => ({ 'idempotency-key': key });

test('[SUB11] fifty identical calls at once: one job and one response', async () => {
  const api = await scene().client('crowd');
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => api.post(IMPORTS, body, withKey('crowd'))),
  );
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([202]));
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)).toHaveLength(1);
  expect((await api.get(IMPORTS)).body.data).toHaveLength(1);
});

test('[SUB11] [REQ7] a replay after the job ended, with its key in quotes or not: the first response', async () => {
  const api = await scene().client('later');
  const first = await api.post(IMPORTS, body, withKey('k'));
  await api.ended(first.body.data.self);
  const again = await api.post(IMPORTS, body, withKey('k'));
  expect([again.status, again.body]).toEqual([202, first.body]);
  const quoted = await api.post(IMPORTS, body, withKey('"k"'));
  expect([quoted.status, quoted.body]).toEqual([202, first.body]);
  const exported = await api.post('/v1/jobs/subscriber-exports', undefined, withKey('e'));
  const twice = await api.post('/v1/jobs/subscriber-exports', {}, withKey('e'));
  expect(twice.body).toEqual(exported.body);
  expect(twice.headers.get('idempotent-replayed')).toBe('true');
});

test('[SUB12] another payload: a conflict, and the first job is unchanged', async () => {
  const api = await scene().client('conflict');
  const first = await api.post(IMPORTS, { ...body, sequence_ids: ['a', 'b'] }, withKey('k'));
  const others = [
    { ...body, sequence_ids: ['b', 'a'] },
    { ...body, csv_text: 'Email\nbob@example.com\n', sequence_ids: ['a', 'b'] },
    { ...body, sequence_ids: ['a', 'b'], dry_run: true },
    { ...body, sequence_ids: ['a', 'b'], dry_run: false },
  ];
  for (const other of others) {
    const { status, body: refused } = await api.post(IMPORTS, other, withKey('k'));
    expect([status, refused.error.type, refused.error.code]).toEqual([
      409,
      'conflict',
      'idempotency_key_reused',
    ]);
  }
  const exported = await api.post('/v1/jobs/subscriber-exports', { query: 'a' }, withKey('k'));
  expect(exported.status).toBe(202);
  expect((await api.post('/v1/jobs/subscriber-exports', { query: 'b' }, withKey('k'))).status).toBe(409);
  expect(await api.ended(first.body.data.self)).toMatchObject({ created_count: 1 });
  expect((await api.get(IMPORTS)).body.data).toHaveLength(1);
});

test('[SUB13] a rejected request: leaves its key free', async () => {
  const api = await scene().client('mended');
  expect((await api.post(IMPORTS, { ...body, csv_text: 'Email\n' }, withKey('k'))).status).toBe(400);
  expect((await api.post(IMPORTS, body, withKey('k'))).status).toBe(202);
  expect((await api.post('/v1/tags', { name: 'A' })).status).toBe(201);
  expect((await api.post('/v1/tags', { name: 'a' }, withKey('t'))).status).toBe(409);
  expect((await api.post('/v1/tags', { name: 'B' }, withKey('t'))).status).toBe(201);
});

test('[SUB10] no key: every call is new; a bad key is refused', async () => {
  const api = await scene().client('free');
  const [one, two] = [await api.post(IMPORTS, body), await api.post(IMPORTS, body)];
  expect(one.body.data.id).not.toBe(two.body.data.id);
  for (const key of [' ', 'x'.repeat(256), 'a\tb']) {
    const { status, body: refused } = await api.post(IMPORTS, body, withKey(key));
    expect([status, refused.error.code]).toEqual([400, 'invalid_idempotency_key']);
  }
});

test('[SUB11][SUB14] single creates: replayed as well; a stored secret is encrypted', async () => {
  const { api, node } = await openScene();
  let secret = '';
  for (const [path, payload] of [
    ['/v1/tags', { name: 'Once' }],
    ['/v1/custom-fields', { label: 'Once', type: 'Text' }],
    ['/v1/subscribers', { email: 'once@example.com' }],
    ['/v1/webhook-subscriptions', { name: 'w', url: 'https://hooks.test/x', event_patterns: ['*'] }],
  ] as const) {
    const first = await api.post(path, payload, withKey('same'));
    const again = await api.post(path, payload, withKey('same'));
    expect([again.status, again.body], path).toEqual([201, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    // The longest match: the subscription itself shows only the start of its secret.
    const shown = JSON.stringify(first.body).match(/(?<="whsec_)[^"]+/g) ?? [];
    secret = shown.toSorted((a, b) => a.length - b.length).at(-1) ?? '';
  }
  const tables = await exportedTables(node.env);
  expect(tables.get('request_keys')).toContain('subscribers.webhook');
  expect(secret.length).toBeGreaterThan(20);
  expect(tablesThatStore(tables, secret)).toEqual([]);
});
