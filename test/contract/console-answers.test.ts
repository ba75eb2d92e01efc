import { randomUUID } from 'node:crypto';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { job as jobSchema } from '#console/contract/jobs.ts';
import type { OperatorRoute } from '../../scripts/operator-routes.ts';
import { badRow, goodRows, openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';
import { ConsoleClient, keepCookies, signedIn, tokenOf } from '../support/console-client.ts';
import { startIdentityProvider, type TestProvider } from '../support/identity-provider.ts';
import { operatorRoutes } from '../support/operator-routes.ts';
import { assertion, makePasskey, registration } from '../support/software-authenticator.ts';

/** Routes whose response is not one JSON document: events, a file, NDJSON. */
const NOT_JSON = ['GET /audit/export', 'GET /jobs/stream', 'POST /packages'];

let scene: Scene;
let provider: TestProvider;
let operator: ConsoleClient;
let routes: readonly OperatorRoute[];
const called = new Set<string>();
beforeAll(async () => {
  provider = await startIdentityProvider();
  scene = await openScene({
    env: { ...provider.env, ROWPRESS_KEY_WARNING_DAYS: '60' },
    surroundings: { resolve: async () => ['93.184.215.14'] },
  });
  operator = await signedIn(scene.server);
  routes = (await operatorRoutes()).filter(({ method }) => method !== 'HEAD');
});
afterAll(async () => {
  await scene?.server.stop();
  await provider?.stop();
});

/** Sends `name` (a method and a route) and checks the response against the schema of the route. */
// biome-ignore lint/suspicious/noExplicitAny: the schema checks the members
async function call(name: string, path: string, body?: object, client = operator): Promise<any> {
  const [method = '', url] = name.split(' ');
  const route = routes.find((each) => each.method === method && each.url === url);
  if (route === undefined) throw new Error(`${name} is not a route`);
  const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await client.fetch(path, { method, ...(body !== undefined && json) });
  const text = await response.text();
  const schema = route.response[response.status];
  const answer = text === '' ? undefined : JSON.parse(text);
  const issues = schema === undefined ? ['status'] : (schema.safeParse(answer).error?.issues ?? []);
  expect.soft(issues, `${name} → ${response.status} ${text.slice(0, 300)}`).toEqual([]);
  called.add(name);
  return answer;
}

it('[CON53] jobs, deliveries, request keys and search: match their schemas', async () => {
  const { client } = scene;
  const key = `answers-${randomUUID()}`;
  const rows = rowsJson([...goodRows(2), badRow]);
  const { body } = await client.create({ rows_json: rows, max_failed_row_percent: '50' }, { key });
  await client.create({}, { key });
  const id = body.job_id;
  const { items } = await call('GET /jobs', '/jobs');
  expect(items[0]).toMatchObject({ id, rows: { total: 3, failed: 1 } });
  await call('GET /jobs/:id', `/jobs/${id}`);
  expect((await call('GET /jobs/:id/problem-rows', `/jobs/${id}/problem-rows`)).items).toHaveLength(1);
  expect((await call('GET /request-keys', `/request-keys?key=${key}`)).items).toHaveLength(1);
  expect((await call('GET /search', `/search?q=${key}`)).hits).not.toHaveLength(0);

  const account = client.account.name;
  const test = { account, surface: 'bulkfill', url: 'https://hooks.example.com:1/' };
  const { delivery } = await call('POST /webhook-tests', '/webhook-tests', test);
  await call('GET /deliveries', '/deliveries');
  await call('GET /deliveries/:id', `/deliveries/${delivery.id}`);
  await call('POST /deliveries/:id/redeliver', `/deliveries/${delivery.id}/redeliver`);
});

it('[CON53] the event stream: sends jobs that match the schema', async () => {
  const rows = rowsJson(goodRows(20_000));
  const { body } = await scene.client.create({ rows_json: rows }, { headers: { prefer: 'wait=0' } });
  const leave = new AbortController();
  const stream = await operator.fetch('/jobs/stream', { signal: leave.signal });
  let text = '';
  for await (const chunk of stream.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (/^data: .*\n/m.test(text)) break;
  }
  leave.abort();
  const [, data = ''] = /^data: (.*)$/m.exec(text) ?? [];
  expect(jobSchema.safeParse(JSON.parse(data)).error?.issues ?? []).toEqual([]);
  const cancelled = await call('POST /jobs/:id/cancel', `/jobs/${body.job_id}/cancel`);
  expect(cancelled).toMatchObject({ state: 'failed', cancelled: true });
});

it('[CON53] accounts, keys, usage, ingest and health: match their schemas', async () => {
  const account = await call('POST /accounts', '/accounts', { name: 'Answers' });
  expect(await call('POST /accounts/default', '/accounts/default')).toEqual({ created: false });
  await call('PATCH /accounts/:id', `/accounts/${account.id}`, { active: true });
  await call('GET /accounts', '/accounts');
  await call('GET /plans', '/plans');
  const order = { surface: 'ingest', account: 'Answers', days: 30, ip_ranges: ['10.0.0.0/8'] };
  const key = await call('POST /keys', '/keys', order);
  const next = await call('POST /keys/:id/rotate', `/keys/${key.id}/rotate`, { overlap_hours: 1 });
  await call('GET /keys', '/keys');
  await call('GET /keys/options', '/keys/options');
  expect((await call('GET /keys/expiring', '/keys/expiring')).items).not.toHaveLength(0);
  await call('DELETE /keys/:id', `/keys/${next.id}`);
  await call('GET /usage', '/usage');
  await call('GET /usage', '/usage?account=Answers');
  const sent = await operator.request('POST', '/acting/ingest/master/uoms', {
    headers: {
      'content-type': 'application/json',
      'x-rowpress-account': 'Answers',
      'x-correlation-id': randomUUID(),
    },
    body: JSON.stringify({ items: [{ source_id: 'EA', name: 'Each' }] }),
  });
  expect(sent.status).toBe(200);
  expect((await call('GET /ingest/overview', '/ingest/overview')).items).toHaveLength(1);
  const items = '/ingest/items?account=Answers&collection=master/uoms';
  expect((await call('GET /ingest/items', items)).items).toHaveLength(1);
  await call('GET /health', '/health');
  await call('GET /settings', '/settings');
  expect((await call('GET /audit', '/audit')).items).not.toHaveLength(0);
});

it('[CON53] sessions, operators and links: match their schemas', async () => {
  const { link } = await call('POST /invitations', '/invitations', { name: 'Ann' });
  await call('POST /invitations', '/invitations', { name: 'Bob' });
  const links = await call('GET /sign-in-links', '/sign-in-links');
  const unused = links.items.find((each: { for: string }) => each.for === 'Bob');
  await call('DELETE /sign-in-links/:id', `/sign-in-links/${unused.id}`);
  const ann = new ConsoleClient(scene.server);
  await call('GET /session', '/session', undefined, ann);
  const { operator: person } = await call('POST /session', '/session', { token: tokenOf(link) }, ann);
  await call('GET /session', '/session');
  await call('GET /operators', '/operators');
  const again = await call('POST /operators/:id/sign-in-links', `/operators/${person.id}/sign-in-links`);
  await ann.signIn(again.link);
  const { items } = await call('GET /sessions', '/sessions');
  const other = items.find((each: { is_current: boolean }) => !each.is_current);
  await call('DELETE /sessions/:id', `/sessions/${other.id}`);
  await call('DELETE /sessions', '/sessions');
  const { link: third } = await call(
    'POST /operators/:id/sign-in-links',
    `/operators/${person.id}/sign-in-links`,
  );
  await ann.signIn(third);
  await call('DELETE /session', '/session', undefined, ann);
  await call('PATCH /operators/:id', `/operators/${person.id}`, { role: 'auditor' });
  await call('DELETE /operators/:id', `/operators/${person.id}`);
});

it('[CON53] passkeys: match their schemas', async () => {
  const local = new ConsoleClient({ url: scene.server.url.replace('127.0.0.1', 'localhost') });
  local.cookie = operator.cookie;
  local.csrf = operator.csrf;
  const page = { origin: local.url, rpId: 'localhost' };
  const options = await call('POST /passkeys/options', '/passkeys/options', undefined, local);
  const passkey = makePasskey(options.user.id);
  const credential = registration(passkey, options, page);
  const { id } = await call('POST /passkeys', '/passkeys', { name: 'Laptop', credential }, local);
  const { items } = await call('GET /passkeys', '/passkeys', undefined, local);
  expect(items).toHaveLength(1);
  await call('PATCH /passkeys/:id', `/passkeys/${id}`, { name: 'Old laptop' }, local);
  const path = '/session/passkey-options';
  const challenge = await call(`POST ${path}`, path, undefined, local);
  passkey.counter += 1;
  const used = assertion(passkey, challenge, page);
  await call('POST /session/passkey', '/session/passkey', used, local);
  await call('DELETE /passkeys/:id', `/passkeys/${id}`, undefined, local);
});

it('[CON53] single sign-on: matches its schemas', async () => {
  class Browser extends ConsoleClient {
    override async fetch(path: string, init?: RequestInit): Promise<Response> {
      const response = await super.fetch(path, init);
      keepCookies(this, response);
      return response;
    }
  }
  const browser = new Browser(scene.server);
  provider.allow(`${scene.server.url}/sign-in`);
  await operator.post('/invitations', { name: 'ann@example.com' });
  const { authorization_url } = await call('POST /single-sign-on', '/single-sign-on', undefined, browser);
  provider.people.set('ann', { email: 'ann@example.com', email_verified: true });
  const response = await provider.signIn(authorization_url, 'ann');
  const path = '/single-sign-on/session';
  const { operator: person } = await call(`POST ${path}`, path, { response }, browser);
  expect(person.name).toBe('ann@example.com');
});

it('[CON53] every JSON route: has a response schema and was called above', () => {
  const names = routes.map(({ method, url }) => `${method} ${url}`);
  expect(routes.filter(({ response }) => Object.keys(response).length === 0)).toHaveLength(NOT_JSON.length);
  expect(names.filter((name) => !called.has(name)).sort()).toEqual(NOT_JSON);
});

it('[CON53] every object in a response schema: refuses members that the schema does not name', () => {
  const open = routes.flatMap(({ method, url, response }) =>
    Object.values(response).flatMap((schema) => {
      const json = JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any' }));
      const objects = json.match(/"type":"object"/g)?.length ?? 0;
      const closed = json.match(/"additionalProperties":(false|\{)/g)?.length ?? 0;
      return objects === closed ? [] : [`${method} ${url}`];
    }),
  );
  expect(open).toEqual([]);
});

it('[CON53] a response with a member that its schema does not name: fails instead of losing the member', () => {
  const page = routes.find(({ url }) => url === '/plans')?.response['200'];
  const serialize = serializerCompiler({ schema: page as never, method: 'GET', url: '/plans' });
  const limits = { rows_per_month: 1, max_pdf_bytes: null, max_stored_bytes: null };
  const plan = { name: 'free', ...limits, default: true };
  const whole = { items: [plan], next_cursor: null };
  expect(serialize(whole)).toBe(JSON.stringify(whole));
  expect(() => serialize({ ...whole, items: [{ ...plan, color: 'red' }] })).toThrow();
  expect(() => serialize({ ...whole, items: [{ ...plan, default: 'yes' }] })).toThrow();
});
