import { expect, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { listKeys, revokeKey } from '#storage/keys/api-keys.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { keyKinds } from '../../../test/support/product.ts';
import { createKey, type KeyOrder } from './create-key.ts';
import { KeyRing } from './key-ring.ts';
import { rotateKey } from './rotate-key.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function scene() {
  const { db } = await openTestDatabase();
  const clock = new ManualClock('2026-03-01T12:00:00Z');
  const parts = { db, kinds: keyKinds, clock, ids: systemIds, plan: 'unlimited' };
  const create = async (order: Partial<KeyOrder> = {}) => {
    const created = await createKey(parts, { surface: 'bulkfill', account: 'acme', ...order });
    if (!created.ok) throw new Error(created.reason);
    return created;
  };
  const rotate = (id: string, hours = 24) => rotateKey(parts, id, hours);
  const rotated = async (id: string, hours = 24) => {
    const made = await rotate(id, hours);
    if (!made.ok) throw new Error(made.reason);
    return made;
  };
  const judge = (key: string, surface: KeyOrder['surface'], address = '10.0.0.1') =>
    new KeyRing({ kinds: keyKinds, db, clock, onTouchError: () => {} }).authenticate(key, surface, address);
  return { db, clock, parts, create, rotate, rotated, judge };
}

test('[KEY21] a rotation: the successor has the rights, limits and lifetime of the old key', async () => {
  const { create, rotated, clock, db, judge } = await scene();
  const order = {
    surface: 'ingest',
    name: 'Night batch',
    partner: 'ERP',
    warehouses: ['W1'],
    ipRanges: ['10.0.0.0/8'],
    days: 90,
  } as const;
  const old = await create(order);
  clock.advance(10 * DAY_MS);
  const next = await rotated(old.record.id);
  const [now] = await listKeys(db, { id: next.record.id });
  const [before] = await listKeys(db, { id: old.record.id });
  for (const member of [
    'account_name',
    'surface',
    'name',
    'scopes',
    'partner_id',
    'warehouses',
    'ip_ranges',
  ] as const)
    expect([member, now?.[member]]).toEqual([member, before?.[member]]);
  expect(now?.expires_at).toEqual(new Date(clock.now().getTime() + 90 * DAY_MS));
  expect(before).toMatchObject({ replaced_by: next.record.id, expires_at: next.replaced.expiresAt });
  const [a, b] = [await judge(old.key, 'ingest'), await judge(next.key, 'ingest')];
  expect(a.ok && { ...a.principal, keyId: '' }).toEqual(b.ok && { ...b.principal, keyId: '' });
});

test('[KEY21] the overlap: the old key works until its end and no longer; a key without an end gets one', async () => {
  const { create, rotated, clock, judge } = await scene();
  const old = await create({ surface: 'subscribers', scopes: ['tags:read'] });
  const next = await rotated(old.record.id, 6);
  expect(next.record).toMatchObject({ scopes: ['tags:read'], expiresAt: null });
  clock.advance(6 * HOUR_MS - 1);
  expect(await judge(old.key, 'subscribers')).toMatchObject({ ok: true });
  clock.advance(1);
  expect(await judge(old.key, 'subscribers')).toEqual({ ok: false, refusal: 'keyExpired' });
  expect(await judge(next.key, 'subscribers')).toMatchObject({ ok: true });
});

test('[KEY21] an overlap longer than the rest of the old key: does not extend it', async () => {
  const { create, rotated, clock } = await scene();
  const old = await create({ days: 30 });
  clock.advance(30 * DAY_MS - HOUR_MS);
  expect((await rotated(old.record.id)).replaced.expiresAt).toEqual(old.record.expiresAt);
});

test('[KEY22] five live Bulk Fill keys: each can be rotated once, and none can be added', async () => {
  const { create, rotate, rotated, parts, clock } = await scene();
  const keys = [];
  for (let n = 0; n < 5; n += 1) keys.push(await create());
  for (const { record } of keys) await rotated(record.id);
  const more = () => createKey(parts, { surface: 'bulkfill', account: 'acme' });
  expect(await more()).toMatchObject({ ok: false, reason: 'too-many-keys' });
  clock.advance(DAY_MS);
  expect(await more()).toMatchObject({ ok: false, reason: 'too-many-keys' });
  expect(await rotate(keys[0]?.record.id ?? '')).toEqual({ ok: false, reason: 'expired' });
});

test('[KEY22] a key in a rotation: neither it nor its successor can be rotated before the overlap ends', async () => {
  const { create, rotate, rotated, clock, db } = await scene();
  const old = await create();
  const next = await rotated(old.record.id);
  expect(await rotate(old.record.id)).toEqual({ ok: false, reason: 'in-rotation', other: next.record.id });
  expect(await rotate(next.record.id)).toEqual({ ok: false, reason: 'in-rotation', other: old.record.id });
  await revokeKey(db, old.record.id, clock.now());
  expect(await rotate(next.record.id)).toMatchObject({ ok: true });
});

test('[KEY22] eight concurrent rotations of one key: one successor', async () => {
  const { create, rotate, db } = await scene();
  const old = await create();
  const answers = await Promise.all(Array.from({ length: 8 }, () => rotate(old.record.id)));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await listKeys(db, {})).toHaveLength(2);
});

test('[KEY21] an unknown, revoked or expired key: not rotated', async () => {
  const { create, rotate, clock, db } = await scene();
  expect(await rotate('nothing')).toEqual({ ok: false, reason: 'unknown' });
  const revoked = await create();
  await revokeKey(db, revoked.record.id, clock.now());
  expect(await rotate(revoked.record.id)).toEqual({ ok: false, reason: 'revoked' });
  const expired = await create({ days: 30 });
  clock.advance(30 * DAY_MS);
  expect(await rotate(expired.record.id)).toEqual({ ok: false, reason: 'expired' });
});
