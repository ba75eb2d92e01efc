import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRoleTable } from '../../../scripts/role-table.ts';
import { openScene, type Scene } from '../../../test/support/bulkfill-client.ts';
import {
  ConsoleClient,
  type Listed,
  type Session,
  signedIn,
  tokenOf,
} from '../../../test/support/console-client.ts';
import { RefusingAudit } from '../../../test/support/refusing-audit.ts';

let scene: Scene;
let operator: ConsoleClient;
let audit: RefusingAudit;
const called = new Set<string>();

beforeAll(async () => {
  scene = await openScene({
    env: { ROWPRESS_ROLE: 'api', ROWPRESS_SYNC_WAIT_MS: '0' },
    surroundings: { resolve: async () => ['93.184.215.14'] },
  });
  audit = new RefusingAudit(scene.server.env.DATABASE_URL ?? '');
  await audit.prepare();
  operator = await signedIn(scene.server);
});
afterAll(async () => {
  await audit?.close();
  await scene?.server.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: each route has its own response
type Body = any;

/**
 * Sends a change while the audit log rejects entries, and then again. The first must fail and store nothing; the second must
 * succeed and store its entry.
 */
async function change(name: string, path: string, init: RequestInit = {}, client = operator): Promise<Body> {
  const [method = ''] = name.split(' ');
  called.add(name);
  // One address may attempt twenty sign-ins a minute, and keys have rates.
  scene.server.clock.advance(3_600_000);
  const send = () => client.request<Body>(method, path, init);
  await client.get('/session');
  await audit.set('refuses');
  const [before, last] = [await audit.digest(), await audit.lastEntry()];
  const refused = await send();
  expect.soft([name, refused.status >= 500], JSON.stringify(refused.body)).toEqual([name, true]);
  expect.soft([name, (await audit.digest()) === before]).toEqual([name, true]);
  await audit.set('accepts');
  const { status, body } = await send();
  expect([name, status < 300], JSON.stringify(body)).toEqual([name, true]);
  expect([name, (await audit.digest()) === before]).toEqual([name, false]);
  expect([name, (await audit.lastEntry()) - last]).toEqual([name, 1]);
  return body;
}
const json = (body: object): RequestInit => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});
const acting = (body?: object, headers: object = {}): RequestInit => ({
  ...(body !== undefined && { body: JSON.stringify(body) }),
  headers: {
    'x-rowpress-account': scene.client.account.name,
    'x-correlation-id': randomUUID(),
    'idempotency-key': randomUUID(),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  },
});
const form = (fields: Record<string, string | Uint8Array | null | undefined>): RequestInit => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value);
    else if (value) body.append(name, new Blob([value as Uint8Array<ArrayBuffer>]), `${name}.bin`);
  }
  const headers = { 'x-rowpress-account': scene.client.account.name, 'idempotency-key': randomUUID() };
  return { body, headers };
};

describe('a change whose audit entry cannot be written: does not happen', () => {
  it('[PPL12] people, sessions and links', async () => {
    const { link } = await change('POST /invitations', '/invitations', json({ name: 'Ann' }));
    const ann = new ConsoleClient(scene.server);
    const signed = await change('POST /session', '/session', json({ token: tokenOf(link) }));
    const id = signed.operator.id;
    const links = `/operators/${id}/sign-in-links`;
    const { link: again } = await change('POST /operators/:id/sign-in-links', links);
    await ann.signIn(again);
    await change('PATCH /operators/:id', `/operators/${id}`, json({ role: 'auditor' }));
    await change('DELETE /session', '/session', {}, ann);
    const { link: third } = (await operator.post<{ link: string }>(links)).body;
    await ann.signIn(third);
    const { items } = (await operator.get<Listed<{ id: string; operator: { id: string } }>>('/sessions'))
      .body;
    const session = items.find((each) => each.operator.id === id);
    await change('DELETE /sessions/:id', `/sessions/${session?.id}`);
    await ann.signIn((await operator.post<{ link: string }>(links)).body.link);
    await change('DELETE /sessions', '/sessions');
    await operator.post('/invitations', { name: 'Bob' });
    const pending = (await operator.get<Listed<{ id: string }>>('/sign-in-links')).body.items[0];
    await change('DELETE /sign-in-links/:id', `/sign-in-links/${pending?.id}`);
    await change('DELETE /operators/:id', `/operators/${id}`);
  });

  it('[PPL12] accounts, keys, jobs and webhooks', async () => {
    const account = await change('POST /accounts', '/accounts', json({ name: 'Audited' }));
    await change('PATCH /accounts/:id', `/accounts/${account.id}`, json({ plan: 'free' }));
    const key = await change('POST /keys', '/keys', json({ surface: 'ingest', account: 'Audited' }));
    const next = await change('POST /keys/:id/rotate', `/keys/${key.id}/rotate`, json({ overlap_hours: 1 }));
    await change('DELETE /keys/:id', `/keys/${next.id}`);
    const { job_id } = (await scene.client.create()).body;
    await change('POST /jobs/:id/cancel', `/jobs/${job_id}/cancel`);
    const test = { account: 'Audited', surface: 'ingest', url: 'https://127.0.0.1:1/' };
    const { delivery } = await change('POST /webhook-tests', '/webhook-tests', json(test));
    await change('POST /deliveries/:id/redeliver', `/deliveries/${delivery.id}/redeliver`);
  });

  it('[PPL12] Bulk Fill', async () => {
    const at = '/acting/bulkfill';
    const { pdf, doqlo_file } = scene.client.usual;
    const jobs = `${at}/export-jobs`;
    const { job_id } = await change(`POST ${jobs}`, jobs, form({ ...scene.client.usual }));
    await change(`DELETE ${jobs}/:job_id`, `${jobs}/${job_id}`, acting());
    const projects = `${at}/projects`;
    const made = await change(`POST ${projects}`, projects, form({ name: 'One', pdf, doqlo_file }));
    const one = `${projects}/${made.project_id}`;
    await change(`PUT ${projects}/:project_id`, one, form({ name: 'Two', pdf, doqlo_file }));
    await change(`POST ${projects}/:project_id/duplicate`, `${one}/duplicate`, acting());
    const restored = `${projects}/:project_id/versions/:version/restore`;
    await change(`POST ${restored}`, `${one}/versions/1/restore`, acting());
    await change(`POST ${projects}/:project_id/bin`, `${one}/bin`, acting());
    await change(`POST ${projects}/:project_id/restore`, `${one}/restore`, acting());
    await change(`DELETE ${projects}/:project_id`, one, acting());
  });

  it('[PPL12] Subscribers', async () => {
    const at = '/acting/subscribers';
    const path = (name: string) => `${at}${name}`;
    const run = async (method: string, route: string, id = '', body?: object, tag = '') =>
      (
        await change(
          `${method} ${path(route)}`,
          path(route)
            .replace(':tag_id', tag || id)
            .replace(/:\w+/, id),
          acting(body),
        )
      ).data;
    const { id } = await run('POST', '/subscribers', '', { email: 'ada@example.com' });
    await run('PATCH', '/subscribers/:subscriber_id', id, { first_name: 'Ada' });
    await run('PUT', '/subscribers/:subscriber_id/status', id, { status: 'Unsubscribed' });
    const tag = (await run('POST', '/tags', '', { name: 'vip' })).id;
    await run('PUT', '/tags/:tag_id', tag, { name: 'VIP' });
    await run('PUT', '/subscribers/:subscriber_id/tags/:tag_id', id, undefined, tag);
    await run('DELETE', '/subscribers/:subscriber_id/tags/:tag_id', id, undefined, tag);
    await run('DELETE', '/tags/:tag_id', tag);
    const field = (await run('POST', '/custom-fields', '', { label: 'Town', type: 'Text' })).id;
    await run('PUT', '/custom-fields/:custom_field_id', field, { label: 'City' });
    await run('DELETE', '/custom-fields/:custom_field_id', field);
    await run('DELETE', '/subscribers/:subscriber_id', id);
    const hook = {
      name: 'Hook',
      url: 'https://hooks.example.com/in',
      event_patterns: ['subscriber.created'],
    };
    const made = await run('POST', '/webhook-subscriptions', '', hook);
    const hookId = (made.subscription ?? made).id;
    const one = '/webhook-subscriptions/:webhook_subscription_id';
    await run('PUT', one, hookId, { name: 'Other' });
    await run('POST', `${one}/rotate-secret`, hookId);
    await run('DELETE', one, hookId);
    await run('POST', '/jobs/subscriber-exports', '', {});
    await run('POST', '/jobs/subscriber-import-uploads', '', {});
  });

  it('[PPL12] Ingest', async () => {
    const box = { items: [{ source_id: 'BOX', source_version: 1, name: 'Box' }] };
    const at = '/acting/ingest';
    await change(`POST ${at}/master/uoms`, `${at}/master/uoms`, acting(box));
    const url = 'https://hooks.example.com/in';
    const made = await change(`POST ${at}/webhooks`, `${at}/webhooks`, acting({ url }));
    const id = made.webhook_id ?? made.id;
    await change(`POST ${at}/webhooks/:id/rotate-secret`, `${at}/webhooks/${id}/rotate-secret`, acting({}));
    await change(`POST ${at}/webhooks/:id/remove`, `${at}/webhooks/${id}/remove`, acting({}));
  });

  it('[PPL12] every other write: stores nothing, or commits through a function that is tested above', () => {
    const ELSEWHERE = [
      'POST /packages', // stores nothing
      /\/(draft|presence|presence\/:tab)$/, // not recorded: unsaved work of one person
      /^(POST|PATCH|DELETE) \/(passkeys|session\/passkey)/, // passkeys.test.ts: a challenge lasts five minutes
      'POST /single-sign-on', // stores an attempt, which is no change
      'POST /single-sign-on/session', // sign-in-identity.test.ts
      'POST /accounts/default', // console-resources.test.ts: only without accounts
      'POST /acting/bulkfill/export-jobs/:job_id/retry', // accepts a job
      'POST /acting/subscribers/jobs/subscriber-imports', // accepts a job
      /\/uploads\/:token$/, // `withEntry`, as for the upload itself
      /^POST \/acting\/ingest\/(master|documents|inventory|:group|quarantine|certificates)/, // `run` of idempotent requests
    ];
    const writes = readRoleTable(readFileSync('docs/roles.md', 'utf8'))
      .filter(({ method }) => method !== 'GET')
      .map(({ method, route }) => `${method} ${route}`);
    const elsewhere = (name: string) =>
      ELSEWHERE.some((known) => (typeof known === 'string' ? known === name : known.test(name)));
    expect(writes.filter((name) => !called.has(name) && !elsewhere(name))).toEqual([]);
    expect([...called].filter((name) => !writes.includes(name))).toEqual([]);
  });
});

describe('the audit list', () => {
  const list = async (query: string) =>
    (await operator.get<Listed<{ action: string; at: string; operator: { id: string } }>>(`/audit?${query}`))
      .body;

  it('[PPL13] filters: by person, by action or its beginning, and by time', async () => {
    const self = (await operator.get<Session>('/session')).body.operator.id;
    const keys = (await list('action=key.&limit=100')).items;
    expect(new Set(keys.map(({ action }) => action))).toEqual(
      new Set(['key.created', 'key.rotated', 'key.revoked']),
    );
    expect((await list('action=key.rotated')).items).toHaveLength(1);
    expect((await list(`operator=${randomUUID()}`)).items).toEqual([]);
    const own = (await list(`operator=${self}&limit=100`)).items;
    expect(own.every((entry) => entry.operator.id === self)).toBe(true);
    const at = keys[1]?.at ?? '';
    expect((await list(`action=key.&from=${at}`)).items).toEqual(keys.slice(0, 2));
    expect((await list(`action=key.&to=${at}`)).items).toEqual(keys.slice(2));
    expect((await operator.get('/audit?from=yesterday')).body.error.code).toBe('INVALID_FIELD');
  });

  it('[PPL14] the CSV export: the filtered entries with safe cells; a filtered NDJSON file is refused', async () => {
    await operator.post('/invitations', { name: '=1+1' });
    const file = await operator.fetch('/audit/export?format=csv&action=operator.invited');
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const rows = parse(await file.text(), { columns: true }) as Record<string, string>[];
    expect(rows[0]).toMatchObject({ person: 'operator', action: 'operator.invited', target: "'=1+1" });
    expect(rows).toHaveLength((await list('action=operator.invited&limit=100')).items.length);
    expect((await list('limit=1')).items[0]).toMatchObject({
      action: 'audit.exported',
      details: { format: 'csv', action: 'operator.invited' },
    });
    const refused = await operator.get('/audit/export?action=key.');
    expect([refused.status, refused.body.error.field]).toEqual([400, 'format']);
  });
});
