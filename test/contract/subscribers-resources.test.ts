import { describe, expect, test } from 'vitest';
import type { Json } from '../support/subscribers-node.ts';
import { EMAIL, importCsv, sharedScene } from '../support/subscribers-scene.ts';

const scene = sharedScene();
const UNKNOWN = '019a0000-0000-7000-8000-000000000000';

test('[SUB60][SUB62] a person: created, updated, read, changed, tagged, deleted', async () => {
  const api = await scene().client('person');
  const plan = (
    await api.post('/v1/custom-fields', {
      label: 'Plan',
      type: 'Single Select',
      settings: { options: ['Free', 'Pro'] },
    })
  ).body.data;
  const age = (await api.post('/v1/custom-fields', { label: 'Age', type: 'Number' })).body.data;
  const tag = (await api.post('/v1/tags', { name: 'VIP' })).body.data;
  const made = await api.post('/v1/subscribers', {
    email: ' Ada@Example.com ',
    name: 'Ada',
    status: 'Unconfirmed',
    country: 'Germany',
    subscribed_on: '2026-01-31',
    custom_fields: { [plan.id]: 'pro', [age.id]: '36' },
  });
  expect(made.status).toBe(201);
  expect(made.body.data).toMatchObject({
    email: 'Ada@Example.com',
    status: 'Unconfirmed',
    country: 'DE',
    subscribed_at: '2026-01-31T00:00:00.000Z',
    custom_fields: { [plan.id]: 'Pro', [age.id]: 36 },
  });
  const { id, self } = made.body.data;
  const again = await api.post('/v1/subscribers', {
    email: 'ADA@example.com',
    name: 'Ada L',
    custom_fields: { [plan.id]: '' },
  });
  expect([again.status, again.body.data.id, again.body.data.name]).toEqual([200, id, 'Ada L']);
  expect(again.body.data).toMatchObject({
    status: 'Unconfirmed',
    country: 'DE',
    custom_fields: { [plan.id]: 'Pro' },
  });
  const only = await api.post('/v1/subscribers', { email: 'ada@example.com', create_only: true });
  expect([only.status, only.body.error.type, only.body.error.details.resource.id]).toEqual([
    409,
    'conflict',
    id,
  ]);
  expect((await api.call('PATCH', self, { name: 'Countess', country: null })).body.data).toMatchObject({
    name: 'Countess',
    country: null,
  });
  expect((await api.call('PUT', `${self}/status`, { status: 'Active' })).body.data.status).toBe('Active');
  const tagged = await api.call('PUT', `${self}/tags/${tag.id}`);
  expect([tagged.status, tagged.body.data.tags]).toEqual([200, [{ id: tag.id, name: 'VIP' }]]);
  const untagged = await api.call('DELETE', `${self}/tags/${tag.id}`);
  expect([untagged.status, untagged.body.data.tags]).toEqual([200, []]);
  await api.post('/v1/subscribers', { email: 'other@example.com' });
  expect((await api.call('PATCH', self, { email: 'OTHER@example.com' })).status).toBe(409);
  expect((await api.get(self)).body.data.name).toBe('Countess');
  expect((await api.call('DELETE', self)).status).toBe(204);
  expect((await api.get(self)).status).toBe(404);
});

test('[SUB60][SUB62] blank countries, lone surrogates and NULs: each has its own error', async () => {
  const api = await scene().client('odd-text');
  const note = (await api.post('/v1/custom-fields', { label: 'Note', type: 'Text' })).body.data;
  const body = { email: 'a@b.co', country: 'DE', custom_fields: { [note.id]: 'x\ud800y' } };
  const made = (await api.post('/v1/subscribers', body)).body.data;
  expect(made.custom_fields[note.id]).toBe('x\ufffdy');
  for (const country of ['', ' ', '\t\n']) {
    const again = await api.post('/v1/subscribers', { email: 'a@b.co', country });
    expect([again.status, again.body.data.country]).toEqual([200, 'DE']);
    expect((await api.call('PATCH', made.self, { country })).body.data.country).toBe('DE');
  }
  for (const query of ['search=%00', 'email=a%00b', 'search=a%00']) {
    const answer = await api.get(`/v1/subscribers?${query}`);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_body']);
  }
});

test('[SUB62] null for a custom field: deletes its value; a blank one keeps it', async () => {
  const api = await scene().client('null-values');
  const note = (await api.post('/v1/custom-fields', { label: 'Note', type: 'Text' })).body.data;
  const age = (await api.post('/v1/custom-fields', { label: 'Age', type: 'Number' })).body.data;
  const send = (custom_fields: object) => api.post('/v1/subscribers', { email: 'a@b.co', custom_fields });
  const made = (await send({ [note.id]: 'x', [age.id]: null })).body.data;
  expect(made.custom_fields).toEqual({ [note.id]: 'x' });
  const change = (custom_fields: object) => api.call('PATCH', made.self, { custom_fields });
  expect((await change({ [note.id]: '', [age.id]: 36 })).body.data.custom_fields).toEqual({
    [note.id]: 'x',
    [age.id]: 36,
  });
  expect((await change({ [note.id]: null })).body.data.custom_fields).toEqual({ [age.id]: 36 });
  expect((await send({ [age.id]: null })).body.data.custom_fields).toEqual({});
});

test('[SUB62] a bad value or an unknown field: rejected with the member', async () => {
  const api = await scene().client('bad-values');
  const age = (await api.post('/v1/custom-fields', { label: 'Age', type: 'Number' })).body.data;
  for (const [body, field] of [
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@b.co', country: 'Atlantis' }, 'country'],
    [{ email: 'a@b.co', custom_fields: { [age.id]: 'old' } }, `custom_fields.${age.id}`],
    [{ email: 'a@b.co', custom_fields: { [age.id]: '12345678901234567890' } }, `custom_fields.${age.id}`],
    [{ email: 'a@b.co', custom_fields: { [UNKNOWN]: 1 } }, `custom_fields.${UNKNOWN}`],
    [{ email: 'a@b.co', tag_ids: [UNKNOWN] }, 'tag_ids'],
    [{ email: 'a@b.co', status: 'Happy' }, 'status'],
  ] as const) {
    const answer = await api.post('/v1/subscribers', body);
    expect([answer.status, answer.body.error.code, answer.body.error.details.field]).toEqual([
      400,
      'invalid_body',
      field,
    ]);
  }
  for (const body of [
    { label: 'S', type: 'Multi Select' },
    { label: 'S', type: 'Colour' },
    { label: '', type: 'Text' },
  ])
    expect((await api.post('/v1/custom-fields', body)).status).toBe(400);
  expect((await api.get('/v1/subscribers')).body.data).toEqual([]);
});

test('[SUB60][SUB1] lists: filters, pages, and a cursor that survives deletions', async () => {
  const api = await scene().client('lists');
  const job = await importCsv(
    api,
    `Email,Name\n${Array.from({ length: 30 }, (_, i) => `p${i}@example.com,Person ${i}`).join('\n')}\n`,
    { new_tag_name: 'All' },
  );
  expect(job.created_count).toBe(30);
  const first = (await api.get('/v1/subscribers')).body;
  expect(first.data).toHaveLength(25);
  await api.call('DELETE', first.data.at(-1).self);
  const second = (await api.get(`/v1/subscribers?starting_after=${first.pagination.next_cursor}`)).body;
  expect(second).toMatchObject({ pagination: { has_more: false, next_cursor: null } });
  expect(new Set([...first.data, ...second.data].map((person: Json) => person.id)).size).toBe(30);

  const [a, b] = first.data;
  const vip = (await api.post('/v1/tags', { name: 'VIP' })).body.data.id;
  const all = (await api.get('/v1/tags')).body.data.find((tag: Json) => tag.name === 'All').id;
  await api.call('PUT', `${a.self}/tags/${vip}`);
  await api.call('PUT', `${b.self}/status`, { status: 'Bounced' });
  const count = async (query: string) =>
    (await api.get(`/v1/subscribers?limit=100&${query}`)).body.data.length;
  expect(await count('search=PERSON%201')).toBe(await count('search=person%201'));
  expect(await count('search=p2%40')).toBe(1);
  expect(await count('search=%25')).toBe(0);
  expect(await count('status=Bounced')).toBe(1);
  expect(await count('cold_only=true')).toBe(0);
  expect(await count(`tag_id=${vip}`)).toBe(1);
  expect(await count(`tag_id=${vip}&tag_id=${all}`)).toBe(29);
  expect(await count(`tag_ids=${vip},${all}&tag_operator=all`)).toBe(1);
  expect(await count(`tag_id=${UNKNOWN}`)).toBe(0);
  expect(await count(`tag_ids=${vip},${all}&tag_operator=has_any_of`)).toBe(29);
  expect(await count(`tag_ids=${vip},${all}&tag_operator=has_all_of`)).toBe(1);
  expect(await count(`tag_ids=${vip}&tag_operator=has_none_of`)).toBe(28);
  expect(await count(`tag_ids=${vip},${all}&tag_operator=has_none_of`)).toBe(0);
  expect(await count(`tag_id=${UNKNOWN}&tag_operator=has_none_of`)).toBe(29);
  expect(await count('tag_operator=has_none_of')).toBe(29);
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=x',
    'starting_after=nope',
    'status=Happy',
    'cold_only=maybe',
    'tag_operator=has_some_of',
  ])
    expect([query, (await api.get(`/v1/subscribers?${query}`)).status]).toEqual([query, 400]);
});

test('[SUB61][SUB62] tags and fields: names are taken once, without regard to case', async () => {
  const api = await scene().client('names');
  const tag = (await api.post('/v1/tags', { name: 'News', description: 'x' })).body.data;
  expect(tag).toMatchObject({ description: 'x', subscriber_count: 0, self: `/v1/tags/${tag.id}` });
  expect((await api.post('/v1/tags', { name: 'NEWS' })).body.error).toMatchObject({ type: 'conflict' });
  const other = (await api.post('/v1/tags', { name: 'Other' })).body.data;
  expect((await api.call('PUT', other.self, { name: 'news' })).status).toBe(409);
  expect((await api.call('PUT', other.self, { name: 'Others', description: null })).body.data).toMatchObject({
    name: 'Others',
    description: null,
  });
  const field = (
    await api.post('/v1/custom-fields', {
      label: 'Size',
      type: 'Select (Dropdown)',
      settings: { options: ['S', 'M'] },
    })
  ).body.data;
  expect(field).toMatchObject({
    label: 'Size',
    type: 'Select (Dropdown)',
    settings: { options: ['S', 'M'] },
  });
  expect((await api.post('/v1/custom-fields', { label: 'size', type: 'Text' })).status).toBe(409);
  expect(
    (
      await api.call('PUT', field.self, {
        label: 'Sizes',
        type: 'Select (Dropdown)',
        settings: { options: ['L'] },
      })
    ).body.data,
  ).toMatchObject({ label: 'Sizes', settings: { options: ['L'] } });
  expect((await api.get('/v1/custom-fields')).body.data).toHaveLength(1);
  expect((await api.call('DELETE', field.self)).status).toBe(204);
  expect((await api.call('DELETE', tag.self)).status).toBe(204);
});

describe('[SUB3] foreign and unknown ids', () => {
  test('an unknown id and the id of another account: the same 404 on every route', async () => {
    const mine = await scene().client('mine');
    const theirs = await scene().client('theirs');
    const person = (await mine.post('/v1/subscribers', { email: 'me@example.com' })).body.data;
    const tag = (await mine.post('/v1/tags', { name: 'Mine' })).body.data;
    const field = (await mine.post('/v1/custom-fields', { label: 'Mine', type: 'Text' })).body.data;
    const hook = (
      await mine.post('/v1/webhook-subscriptions', {
        name: 'm',
        url: 'https://hooks.test/',
        event_patterns: ['*'],
      })
    ).body.data.subscription;
    const upload = (await mine.post('/v1/jobs/subscriber-import-uploads')).body.data;
    const imported = (
      await mine.post('/v1/jobs/subscriber-imports', { csv_text: 'Email\na@b.co\n', mappings: [EMAIL] })
    ).body.data;
    const exported = (await mine.post('/v1/jobs/subscriber-exports')).body.data;
    const routes: [string, string, unknown?][] = [
      ...[person, tag, field, hook, upload, imported, exported].map((item): [string, string] => [
        'GET',
        item.self,
      ]),
      ...[person, tag, field, hook].map((item): [string, string] => ['DELETE', item.self]),
      ['PATCH', person.self, { name: 'x' }],
      ['PUT', `${person.self}/status`, { status: 'Active' }],
      ['PUT', `${person.self}/tags/${tag.id}`],
      ['PUT', tag.self, { name: 'x' }],
      ['PUT', field.self, { label: 'x' }],
      ['PUT', hook.self, { name: 'x' }],
      ['POST', `${hook.self}/rotate-secret`],
      ['GET', `${imported.self}/failed-rows`],
      ['GET', `${imported.self}/events`],
    ];
    for (const [method, path, body] of routes) {
      const ids = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
      const foreign = await theirs.call(method, path, body);
      const unknown = await theirs.call(method, path.replace(ids, UNKNOWN), body);
      const senseless = await theirs.call(method, path.replace(ids, 'nonsense'), body);
      expect(
        [foreign.status, foreign.body.error?.type, foreign.body.error?.code],
        `${method} ${path}`,
      ).toEqual([404, 'not_found', 'resource_not_found']);
      expect([unknown.status, unknown.body]).toEqual([404, foreign.body]);
      expect([senseless.status, senseless.body]).toEqual([404, foreign.body]);
    }
    const second = await scene().client('mine');
    expect((await second.get(person.self)).status).toBe(200);
  });
});

test('[SUB4][SUB5] a key without the scope of an operation: 403; capabilities list what the key can do', async () => {
  const api = await scene().client('scoped', ['tags:read', 'subscribers:import']);
  expect((await api.get('/v1/tags')).status).toBe(200);
  const refused = await api.post('/v1/jobs/subscriber-imports', {
    csv_text: 'Email\na@b.co\n',
    mappings: [EMAIL],
  });
  expect(refused.status).toBe(403);
  expect(refused.body.error).toMatchObject({
    type: 'permission_error',
    code: 'insufficient_scope',
    required_scopes: ['subscribers:import', 'live_actions:write'],
    missing_scopes: ['live_actions:write'],
  });
  const { data } = (await api.get('/v1/capabilities')).body;
  const allowed = data.resources.flatMap((resource: Json) =>
    resource.operations.map((operation: Json) => operation.operation_id),
  );
  expect(allowed.sort()).toEqual([
    'getPublicApiCapabilities',
    'getSubscriberImportFailedRows',
    'getSubscriberImportJob',
    'getSubscriberImportUpload',
    'getTag',
    'listSubscriberImportJobs',
    'listTags',
    'startSubscriberImportUpload',
    'watchSubscriberImportJob',
  ]);
  expect(data).toMatchObject({
    workspace: { name: 'scoped' },
    credential: { type: 'workspace_api_key', scopes: ['subscribers:import', 'tags:read'] },
    conventions: { idempotency_header: 'Idempotency-Key' },
    events: {
      supported_events: expect.arrayContaining(['import_job.completed', 'subscriber.created']),
      signing: {
        id_header: 'webhook-id',
        timestamp_header: 'webhook-timestamp',
        signature_header: 'webhook-signature',
      },
    },
  });
  const full = await scene().client('scoped');
  const all = (await full.get('/v1/capabilities')).body.data;
  expect(all.workspace.id).toBe(data.workspace.id);
  const { paths } = (await full.get('/v1/openapi.json')).body;
  for (const { operations } of all.resources)
    for (const { path, method } of operations)
      expect(paths[path]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined();
  expect((await full.get('/v1/workspace')).body.data).toMatchObject({
    id: data.workspace.id,
    name: 'scoped',
    self: '/v1/workspace',
  });
});

test('[SUB5][SUB6][SUB2] requests without a key: metadata, request ids and errors of the shell', async () => {
  const { node, api } = scene();
  const meta = await fetch(`${node.url}/v1`, { headers: { 'x-mailrith-request-id': 'mine-1' } });
  expect(await meta.json()).toMatchObject({ version: 'v1', openapi_url: `${node.url}/v1/openapi.json` });
  expect(meta.headers.get('x-mailrith-request-id')).toBe('mine-1');
  const document = (await (await fetch(`${node.url}/v1/openapi.json`)).json()) as Json;
  expect(document.openapi).toMatch(/^3\.1/);
  expect(Object.keys(document.paths)).toContain('/v1/jobs/subscriber-imports');
  expect(document.paths['/v1/uploads/{token}'].put.requestBody.content).toHaveProperty('text/csv');
  const anonymous = await fetch(`${node.url}/v1/subscribers`);
  expect(anonymous.status).toBe(401);
  expect(anonymous.headers.get('x-mailrith-request-id')).toMatch(/^req_[0-9a-f-]{36}$/);
  expect(await anonymous.json()).toMatchObject({
    error: { type: 'authentication_error', code: 'invalid_api_key' },
  });
  const wrong = await fetch(`${node.url}/v1/subscribers`, {
    headers: { authorization: 'Bearer doqlo_bfexp_AAAA.BBBB' },
  });
  expect(wrong.status).toBe(401);
  const nowhere = await api.get('/v1/broadcasts');
  expect([nowhere.status, nowhere.body.error.type]).toEqual([404, 'not_found']);
  expect(nowhere.headers.get('content-type')).toContain('application/json');
});
