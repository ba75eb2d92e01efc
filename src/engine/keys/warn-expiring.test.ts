import { expect, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { revokeKey } from '#storage/keys/api-keys.ts';
import { countExpiringKeys, listExpiringKeys } from '#storage/keys/expiring-keys.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { keyKinds } from '../../../test/support/product.ts';
import { createKey, type KeyOrder } from './create-key.ts';
import { rotateKey } from './rotate-key.ts';
import { warnExpiringKeys } from './warn-expiring.ts';

const DAY_MS = 86_400_000;
const DAYS = [14, 3];

async function scene() {
  const { db } = await openTestDatabase();
  const clock = new ManualClock('2026-03-01T12:00:00Z');
  const create = async (order: Partial<KeyOrder> = {}) => {
    const made = await createKey(
      { db, kinds: keyKinds, clock, ids: systemIds, plan: 'unlimited' },
      { surface: 'bulkfill', account: 'acme', days: 30, ...order },
    );
    if (!made.ok) throw new Error(made.reason);
    return made.record.id;
  };
  const told: [string, number][] = [];
  const parts = {
    db,
    clock,
    days: DAYS,
    announce: async () => {},
    onWarning: ({ id, days }: { id: string; days: number }) => void told.push([id, days]),
  };
  const warn = async (days: readonly number[] = DAYS) => {
    told.length = 0;
    await warnExpiringKeys({ ...parts, days });
    return [...told];
  };
  const listed = async () => (await listExpiringKeys(db, clock.now(), 14, 100)).map(({ id }) => id);
  return { db, clock, create, parts, warn, told, listed };
}

test('[KEY27] a key nears its end: one warning at 14 days, one at 3, none afterwards', async () => {
  const { create, clock, warn, listed, db } = await scene();
  const id = await create();
  await create({ surface: 'ingest', days: undefined });
  clock.advance(16 * DAY_MS - 1);
  expect([await warn(), await listed()]).toEqual([[], []]);
  clock.advance(1);
  expect([await warn(), await warn(), await listed()]).toEqual([[[id, 14]], [], [id]]);
  clock.advance(11 * DAY_MS);
  expect([await warn(), await warn()]).toEqual([[[id, 3]], []]);
  expect(await countExpiringKeys(db, clock.now(), DAYS)).toEqual(
    expect.arrayContaining([
      { surface: 'bulkfill', days: 14, count: 1 },
      { surface: 'bulkfill', days: 3, count: 1 },
    ]),
  );
  clock.advance(3 * DAY_MS);
  expect([await warn(), await listed()]).toEqual([[], []]);
});

test('[KEY27] no check for weeks: only the nearest threshold is reported', async () => {
  const { create, clock, warn } = await scene();
  const id = await create();
  clock.advance(28 * DAY_MS);
  expect([await warn(), await warn()]).toEqual([[[id, 3]], []]);
});

test('[KEY27] a revoked key, a rotated one and an empty setting: no warning', async () => {
  const { create, clock, warn, listed, db } = await scene();
  const [revoked, rotated] = [await create(), await create()];
  clock.advance(28 * DAY_MS);
  expect(await warn([])).toEqual([]);
  await revokeKey(db, revoked, clock.now());
  expect(await rotateKey({ db, clock, kinds: keyKinds }, rotated, 24)).toMatchObject({ ok: true });
  expect([await warn(), await listed()]).toEqual([[], []]);
});

test('[KEY27] four nodes at the same moment: one warns; a failed announcement is repeated', async () => {
  const { create, clock, parts, told, warn } = await scene();
  const id = await create();
  clock.advance(20 * DAY_MS);
  const failing = { ...parts, announce: () => Promise.reject(new Error('no outbox')) };
  await expect(warnExpiringKeys(failing)).rejects.toThrow('no outbox');
  expect(told).toEqual([]);
  await Promise.all([1, 2, 3, 4].map(() => warnExpiringKeys(parts)));
  expect(told).toEqual([[id, 14]]);
  expect(await warn()).toEqual([]);
});
