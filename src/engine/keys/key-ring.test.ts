import { expect, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { updateAccount } from '#storage/accounts.ts';
import type { Db } from '#storage/database.ts';
import { revokeKey } from '#storage/keys/api-keys.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { keyKinds } from '../../../test/support/product.ts';
import { createKey, type KeyOrder } from './create-key.ts';
import { KeyRing } from './key-ring.ts';
import { hashSecret } from './key-text.ts';

const DAY_MS = 86_400_000;
const start = '2026-03-01T12:00:00Z';

async function scene() {
  const { db } = await openTestDatabase();
  const clock = new ManualClock(start);
  let monotonic = 0;
  const errors: Error[] = [];
  const ring = () =>
    new KeyRing({
      kinds: keyKinds,
      db,
      clock,
      monotonicMs: () => monotonic,
      onTouchError: (error) => errors.push(error),
    });
  const parts = { db, kinds: keyKinds, clock, ids: systemIds, plan: 'unlimited' };
  const create = async (order: Partial<KeyOrder> = {}) => {
    const created = await createKey(parts, { surface: 'bulkfill', account: 'acme', ...order });
    if (!created.ok) throw new Error(created.reason);
    return created;
  };
  const pass = (ms: number) => {
    monotonic += ms;
    clock.advance(ms);
  };
  return { db, clock, ring, create, parts, pass, errors };
}

const lastUsed = async (db: Db, id: string) =>
  (await db.selectFrom('api_keys').select('last_used_at').where('id', '=', id).executeTakeFirstOrThrow())
    .last_used_at;

test.each([
  ['bulkfill', /^doqlo_bfexp_[A-Za-z0-9]{16}\.[A-Za-z0-9]{40}$/],
  ['subscribers', /^mrk_[A-Za-z0-9]{16}\.[A-Za-z0-9]{40}$/],
  ['ingest', /^wmsk_[A-Za-z0-9]{16}\.[A-Za-z0-9]{40}$/],
] as const)('[KEY1] a %s key: has its form and is valid only on its surface', async (surface, form) => {
  const { create, ring } = await scene();
  const { key, record } = await create({ surface });
  expect(key).toMatch(form);
  const keys = ring();
  for (const other of ['bulkfill', 'subscribers', 'ingest'] as const) {
    const verdict = await keys.authenticate(key, other);
    expect(verdict).toMatchObject(
      other === surface
        ? { ok: true, principal: { keyId: record.id, accountName: 'acme', plan: 'unlimited' } }
        : { ok: false, refusal: 'keyInvalid' },
    );
  }
});

test('[KEY2] a stored key: only the SHA-256 of its secret', async () => {
  const { create, db } = await scene();
  const { key, record } = await create();
  const secret = key.split('.')[1] ?? '';
  const { rows } = await db
    .selectFrom('api_keys')
    .selectAll()
    .execute()
    .then((rows) => ({ rows }));
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ id: record.id, secret_hash: hashSecret(secret) });
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test('[KEY3] unknown id, wrong secret, malformed text: the same response, even for a revoked key', async () => {
  const { create, ring, db, clock } = await scene();
  const { key, record } = await create();
  await revokeKey(db, record.id, clock.now());
  const [head = '', secret = ''] = key.split('.');
  const wrong = [
    `doqlo_bfexp_0000000000000000.${secret}`,
    `${head}.${'x'.repeat(40)}`,
    `${head}.${secret}x`,
    head,
    `${head}.`,
    `.${secret}`,
    'doqlo_bfexp_',
    '',
    `${key}\u0000`,
  ];
  const keys = ring();
  for (const token of wrong)
    expect(await keys.authenticate(token, 'bulkfill')).toEqual({ ok: false, refusal: 'keyInvalid' });
});

test('[KEY4] lifetimes: counted from creation; only Bulk Fill keys expire by default', async () => {
  const { create, ring, pass } = await scene();
  const expiry = async (order: Partial<KeyOrder>) => (await create(order)).record.expiresAt;
  const day = (n: number) => new Date(new Date(start).getTime() + n * DAY_MS);
  expect(await expiry({})).toEqual(day(365));
  expect(await expiry({ surface: 'subscribers' })).toBeNull();
  expect(await expiry({ surface: 'ingest' })).toBeNull();
  expect(await expiry({ surface: 'ingest', days: 90 })).toEqual(day(90));
  const { key } = await create({ days: 30 });
  const keys = ring();
  pass(30 * DAY_MS - 1);
  expect(await keys.authenticate(key, 'bulkfill')).toMatchObject({ ok: true });
  pass(1);
  expect(await keys.authenticate(key, 'bulkfill')).toEqual({ ok: false, refusal: 'keyExpired' });
});

test('[KEY5] precedence: revoked before expired, expired before an inactive account', async () => {
  const { create, ring, db, clock, pass } = await scene();
  const { key, record } = await create({ days: 30 });
  const verdict = () => ring().authenticate(key, 'bulkfill');
  await updateAccount(db, 'acme', { active: false });
  expect(await verdict()).toEqual({ ok: false, refusal: 'accountInactive' });
  pass(31 * DAY_MS);
  expect(await verdict()).toEqual({ ok: false, refusal: 'keyExpired' });
  await revokeKey(db, record.id, clock.now());
  expect(await verdict()).toEqual({ ok: false, refusal: 'keyRevoked' });
});

test('[KEY6] twelve concurrent creates: five Bulk Fill keys; revoked and expired keys do not count', async () => {
  const { parts, db, clock, pass } = await scene();
  const order = { surface: 'bulkfill', account: 'acme', days: 30 } as const;
  const made = await Promise.all(Array.from({ length: 12 }, () => createKey(parts, order)));
  expect(made.filter(({ ok }) => ok)).toHaveLength(5);
  expect(made.filter(({ ok }) => !ok)[0]).toEqual({ ok: false, reason: 'too-many-keys', limit: 5 });
  expect(await createKey(parts, { ...order, account: 'other' })).toMatchObject({ ok: true });
  const [first] = made.filter((result) => result.ok);
  await revokeKey(db, first?.record.id ?? '', clock.now());
  expect(await createKey(parts, order)).toMatchObject({ ok: true });
  expect(await createKey(parts, order)).toMatchObject({ ok: false });
  pass(30 * DAY_MS);
  expect(await createKey(parts, order)).toMatchObject({ ok: true });
});

test('[KEY7] revoking twice: keeps the first time; an unknown id: reported', async () => {
  const { create, db, clock } = await scene();
  const { record } = await create();
  const first = clock.now();
  expect(await revokeKey(db, record.id, first)).toEqual({ revokedAt: first, changed: true });
  clock.advance(5_000);
  expect(await revokeKey(db, record.id, clock.now())).toEqual({ revokedAt: first, changed: false });
  expect(await revokeKey(db, 'nobody', clock.now())).toBeUndefined();
});

test('[KEY8] a cached record: used for three seconds', async () => {
  const { create, ring, db, clock, pass } = await scene();
  const { key, record } = await create();
  const [here, there] = [ring(), ring()];
  expect(await there.authenticate(key, 'bulkfill')).toMatchObject({ ok: true });
  expect(await here.authenticate(key, 'bulkfill')).toMatchObject({ ok: true });
  await revokeKey(db, record.id, clock.now());
  here.forget(record.id);
  expect(await here.authenticate(key, 'bulkfill')).toEqual({ ok: false, refusal: 'keyRevoked' });
  pass(2_999);
  expect(await there.authenticate(key, 'bulkfill')).toMatchObject({ ok: true });
  pass(1);
  expect(await there.authenticate(key, 'bulkfill')).toEqual({ ok: false, refusal: 'keyRevoked' });
});

test('[KEY8] an unknown key: works as soon as it exists', async () => {
  const { create, ring, db } = await scene();
  const { key, record } = await create();
  const row = await db
    .deleteFrom('api_keys')
    .where('id', '=', record.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const keys = ring();
  expect(await keys.authenticate(key, 'bulkfill')).toEqual({ ok: false, refusal: 'keyInvalid' });
  await db.insertInto('api_keys').values(row).execute();
  expect(await keys.authenticate(key, 'bulkfill')).toMatchObject({ ok: true });
});

test('[KEY9] the last use: written at most once a minute', async () => {
  const { create, ring, db, clock, pass, errors } = await scene();
  const { key, record } = await create();
  const keys = ring();
  const first = clock.now();
  await keys.authenticate(key, 'bulkfill');
  await expect.poll(() => lastUsed(db, record.id)).toEqual(first);
  for (let n = 0; n < 19; n += 1) {
    pass(3_000);
    await keys.authenticate(key, 'bulkfill');
  }
  expect(await lastUsed(db, record.id)).toEqual(first);
  pass(3_000);
  await keys.authenticate(key, 'bulkfill');
  await expect.poll(() => lastUsed(db, record.id)).toEqual(new Date(first.getTime() + 60_000));
  expect(errors).toEqual([]);
});

test('[KEY10] defaults: account and partner, all scopes, all warehouses', async () => {
  const { create, ring } = await scene();
  const keys = ring();
  const principal = async (order: Partial<KeyOrder>) => {
    const { key } = await create(order);
    const verdict = await keys.authenticate(key, order.surface ?? 'bulkfill');
    return verdict.ok ? verdict.principal : verdict;
  };
  expect(await principal({})).toMatchObject({ scopes: [], partnerId: null, warehouses: null });
  expect(await principal({ surface: 'ingest' })).toMatchObject({ partnerId: 'acme', warehouses: null });
  expect(
    await principal({ surface: 'ingest', partner: 'SAP-TENANT-1', warehouses: ['w1', 'w2'] }),
  ).toMatchObject({ partnerId: 'SAP-TENANT-1', warehouses: ['w1', 'w2'] });
  expect(await principal({ surface: 'subscribers' })).toMatchObject({
    scopes: expect.arrayContaining(['subscribers:import', 'live_actions:write']),
  });
  expect(await principal({ surface: 'subscribers', scopes: ['tags:read'] })).toMatchObject({
    scopes: ['tags:read'],
  });
});

test('[KEY24] a key with IP ranges: works inside them; elsewhere it gets the response of an invalid key', async () => {
  const { create, ring, db, clock } = await scene();
  const { key, record } = await create({ ipRanges: ['10.0.0.0/8', '2001:db8::/32'] });
  const keys = ring();
  for (const inside of ['10.9.8.7', '::ffff:10.9.8.7', '2001:db8::1'])
    expect(await keys.authenticate(key, 'bulkfill', inside)).toMatchObject({ ok: true });
  const invalid = { ok: false, refusal: 'keyInvalid' };
  for (const outside of ['11.9.8.7', '2001:db9::1', '127.0.0.1', undefined])
    expect(await keys.authenticate(key, 'bulkfill', outside)).toEqual(invalid);
  // The state of the key is not visible from outside the ranges either.
  await revokeKey(db, record.id, clock.now());
  keys.forget(record.id);
  expect(await keys.authenticate(key, 'bulkfill', '11.9.8.7')).toEqual(invalid);
  expect(await keys.authenticate(key, 'bulkfill', '10.9.8.7')).toMatchObject({ refusal: 'keyRevoked' });
});

test('[KEY26] a default lifetime in the settings: used for keys created without one', async () => {
  const { parts } = await scene();
  const defaultDays = { bulkfill: 90, subscribers: 30, ingest: null } as const;
  const expiry = async (order: Pick<KeyOrder, 'surface' | 'days'>) => {
    const created = await createKey({ ...parts, defaultDays }, { account: 'acme', ...order });
    return created.ok ? created.record.expiresAt : created;
  };
  const day = (n: number) => new Date(new Date(start).getTime() + n * DAY_MS);
  expect(await expiry({ surface: 'bulkfill' })).toEqual(day(90));
  expect(await expiry({ surface: 'bulkfill', days: 30 })).toEqual(day(30));
  expect(await expiry({ surface: 'subscribers' })).toEqual(day(30));
  expect(await expiry({ surface: 'ingest' })).toBeNull();
});
