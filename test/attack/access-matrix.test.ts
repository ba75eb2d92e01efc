import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#storage/database.ts';
import { BulkfillClient, openScene, type Scene } from '../support/bulkfill-client.ts';
import { operationsOf, readDocument } from '../support/openapi-document.ts';
import { type AccountKeys, makeThings, OWN_THUMBPRINT, type OwnedThings } from '../support/owned-things.ts';

/** Every operation of the published OpenAPI document, so that new routes are tested automatically. */
interface Operation {
  readonly method: string;
  readonly template: string;
  readonly surface: keyof AccountKeys;
  readonly open: boolean;
  readonly scopes: readonly string[];
}

const surfaceOf = (template: string): keyof AccountKeys => {
  if (template.startsWith('/v1/bulkfill')) return 'bulkfill';
  return template.startsWith('/wms-ingest') ? 'ingest' : 'subscribers';
};
const operations: Operation[] = operationsOf(readDocument()).map(({ method, path, operation }) => ({
  method,
  template: path,
  surface: surfaceOf(path),
  open: operation.security.length === 0,
  scopes: operation.security.flatMap((scheme) => Object.values(scheme).flat()),
}));
const guarded = operations.filter(({ open }) => !open);
/** Whether the operation deletes the resource it names. The owner runs these last. */
const removes = ({ method, template }: Operation) =>
  method === 'DELETE' || /\/(remove|revoke|discard|release)$/.test(template);
const named = ({ method, template }: Operation) => `${method} ${template}`;

/** Bodies that pass validation, so that an operation reaches the resource it names. */
const BODIES: Readonly<Record<string, unknown>> = {
  'PATCH /v1/subscribers/{subscriber_id}': { name: 'Renamed' },
  'PUT /v1/subscribers/{subscriber_id}/status': { status: 'Active' },
  'PUT /v1/tags/{tag_id}': { name: 'Renamed' },
  'PUT /v1/custom-fields/{custom_field_id}': { label: 'Renamed' },
  'PUT /v1/webhook-subscriptions/{webhook_subscription_id}': { name: 'Renamed' },
};

const surfaces = ['bulkfill', 'subscribers', 'ingest'] as const;
let scene: Scene;
let owner: AccountKeys;
let stranger: AccountKeys;
let things: OwnedThings;

beforeAll(async () => {
  // The matrix sends more invalid keys than one address is allowed.
  scene = await openScene({ env: { ROWPRESS_FAILED_KEYS_PER_MINUTE: '0' } });
  const keysOf = async (name: string) =>
    Object.fromEntries(
      await Promise.all(
        surfaces.map(async (surface) => [surface, (await scene.server.account({ surface, name })).key]),
      ),
    ) as unknown as AccountKeys;
  owner = await keysOf('owner');
  stranger = await keysOf('stranger');
  const account = { name: 'owner', id: '', keyId: '', key: owner.bulkfill };
  things = await makeThings(new BulkfillClient(scene.server, account, scene.client.usual), owner);
  const database = openDatabase({ url: scene.server.env.DATABASE_URL ?? '' }, 1, () => {});
  await database.pool.query(
    `insert into ingest_certificates (thumbprint, partner_no, created_at)
     select decode($1, 'hex'), no, now() from ingest_partners where partner_id = 'owner'`,
    [OWN_THUMBPRINT],
  );
  await database.close();
});
afterAll(() => scene?.server.stop());

async function call(operation: Operation, path: string, key?: string) {
  const body = BODIES[named(operation)];
  const sends = operation.method !== 'GET' && body !== undefined;
  const stop = AbortSignal.timeout(20_000);
  const response = await fetch(`${scene.server.url}${path}`, {
    method: operation.method,
    redirect: 'manual',
    signal: stop,
    headers: {
      'x-correlation-id': randomUUID(),
      'idempotency-key': randomUUID(),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(sends && { 'content-type': 'application/json' }),
    },
    ...(sends && { body: JSON.stringify(body) }),
  });
  // An event stream never ends; its status is enough.
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return { status: response.status, text: '' };
  }
  return { status: response.status, text: await response.text() };
}

/** The same path with ids that no account has. */
const unknownPath = (path: string) =>
  path
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, () => randomUUID())
    .replaceAll(/\b(qn|job|wh)-[0-9A-Z]{26}\b/g, '$1-01ARZ3NDEKTSV4RRFFQ69G5FAV')
    .replaceAll(OWN_THUMBPRINT, 'cd'.repeat(32))
    .replaceAll('OWN-1', 'NOBODYS');
/** A response without its request id and without the id that was sent. */
const comparable = ({ status, text }: { status: number; text: string }, path: string) => {
  let plain = text;
  for (const part of path.split(/[/?]/).filter((piece) => /[0-9A-Z-]{5}/i.test(piece)))
    plain = plain.replaceAll(part, 'ID');
  return { status, text: plain.replaceAll(/"(request_id|correlation_id|instance|trace_id)":"[^"]*"/g, '') };
};

test('[BF1] every operation that needs a key: 401 without one, and 401 with a key of another surface', async () => {
  const wrong: string[] = [];
  for (const operation of guarded) {
    const path = things.path(operation.template) ?? operation.template.replaceAll(/\{\w+\}/g, 'x');
    const others = surfaces.filter((surface) => surface !== operation.surface);
    for (const key of [undefined, ...others.map((surface) => owner[surface])]) {
      const { status } = await call(operation, path, key);
      if (status !== 401) wrong.push(`${named(operation)} with ${key?.slice(0, 12) ?? 'no key'}: ${status}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('[SUB4] every operation of a scope: 403 with a key of the same account that lacks it', async () => {
  const scoped = guarded.filter(({ scopes }) => scopes.length > 0);
  expect(scoped.length).toBeGreaterThan(25);
  const all = [...new Set(scoped.flatMap(({ scopes }) => scopes))];
  const wrong: string[] = [];
  for (const lacking of all) {
    const scopes = all.filter((scope) => scope !== lacking);
    const { key } = await scene.server.account({ surface: 'subscribers', name: 'owner', scopes });
    for (const operation of scoped.filter((each) => each.scopes.includes(lacking))) {
      const { status } = await call(operation, things.path(operation.template) ?? operation.template, key);
      if (status !== 403) wrong.push(`${named(operation)} without ${lacking}: ${status}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('[HTTP1] the operations without a key: only documents, links that carry their own secret', () => {
  expect(operations.filter(({ open }) => open).map(named)).toEqual([
    'GET /v1',
    'GET /v1/openapi.json',
    'GET /v1/downloads/{job_id}/{token}/{file_name}',
    'PUT /v1/uploads/{token}',
    'GET /v1/uploads/{token}',
    'POST /v1/uploads/{token}',
  ]);
});

test('[BF57] a stranger who knows an id: gets what an unknown id gets, and nothing changes', async () => {
  const wrong: string[] = [];
  const withIds = guarded.filter(({ template }) => template.includes('{'));
  for (const operation of withIds) {
    const path = things.path(operation.template);
    if (path === undefined) wrong.push(`${named(operation)}: the test has nothing of this kind`);
    else {
      const key = stranger[operation.surface];
      const unknown = unknownPath(path);
      const foreign = comparable(await call(operation, path, key), path);
      const nobodys = comparable(await call(operation, unknown, key), unknown);
      if (JSON.stringify(foreign) !== JSON.stringify(nobodys))
        wrong.push(`${named(operation)}: ${JSON.stringify(foreign)} but ${JSON.stringify(nobodys)}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('[BF57] the lists of a stranger: hold none of the owner’s things', async () => {
  const lists = guarded.filter(({ method, template }) => method === 'GET' && !template.includes('{'));
  expect(lists.length).toBeGreaterThan(8);
  for (const operation of lists) {
    const { text } = await call(operation, operation.template, stranger[operation.surface]);
    expect(
      things.ids.filter((id) => text.includes(id)),
      named(operation),
    ).toEqual([]);
  }
});

test('[BF57] the owner, after all that: still has every thing', async () => {
  const withIds = guarded.filter(({ template }) => template.includes('{'));
  const gone: string[] = [];
  // A resource is deleted after everything nested below it.
  const turn = (operation: Operation) => (removes(operation) ? 1000 - operation.template.length : 0);
  for (const operation of withIds.toSorted((a, b) => turn(a) - turn(b))) {
    const { status } = await call(operation, things.path(operation.template) ?? '', owner[operation.surface]);
    if ([401, 403, 404, 500].includes(status)) gone.push(`${named(operation)}: ${status}`);
  }
  expect(gone).toEqual([]);
});
