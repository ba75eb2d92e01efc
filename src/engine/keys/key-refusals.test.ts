import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { listKeys, revokeKey } from '#storage/keys/api-keys.ts';
import type { RefusedKey } from '#storage/keys/key-refusals.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { keyKinds } from '../../../test/support/product.ts';
import { createKey } from './create-key.ts';
import { KeyRefusals } from './key-refusals.ts';
import { KeyRing } from './key-ring.ts';

async function scene() {
  const { db } = await openTestDatabase();
  const clock = new ManualClock('2026-03-01T12:00:00Z');
  const counted: string[] = [];
  const logged: RefusedKey[] = [];
  const errors: unknown[] = [];
  const refusals = new KeyRefusals({
    db,
    clock,
    metrics: { count: (_, labels) => counted.push(Object.values(labels).join(' ')), observe: () => {} },
    onRefused: (refused) => logged.push(refused),
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => refusals.flush());
  const ring = new KeyRing({ kinds: keyKinds, db, clock, onTouchError: () => {}, onRefused: refusals.note });
  const made = await createKey(
    { db, kinds: keyKinds, clock, ids: systemIds, plan: 'unlimited' },
    { surface: 'ingest', account: 'acme', ipRanges: ['10.0.0.0/8'] },
  );
  if (!made.ok) throw new Error(made.reason);
  const wrong = made.key.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
  const ask = (token: string, address: string) => ring.authenticate(token, 'ingest', address);
  const listed = async () => (await listKeys(db, { id: made.record.id }))[0];
  const rows = () =>
    db.selectFrom('api_key_refusals').select(['address', 'reason', 'count']).orderBy('address').execute();
  return { db, clock, ring, refusals, made, wrong, ask, listed, rows, counted, logged, errors };
}

test('[KEY25] rejected uses of a key: counted by address and exact reason, the latest is shown with the key', async () => {
  const { ask, wrong, made, refusals, rows, listed, counted, logged, clock, db, ring } = await scene();
  expect(await listed()).toMatchObject({ refused_at: null, refused_count: 0 });
  for (let n = 0; n < 3; n += 1) await ask(wrong, '10.0.0.1');
  await ask(made.key, '192.0.2.7');
  await refusals.flush();
  clock.advance(60_000);
  await revokeKey(db, made.record.id, clock.now());
  ring.forget(made.record.id);
  await ask(made.key, '10.0.0.1');
  await refusals.flush();
  expect(await rows()).toEqual([
    { address: '10.0.0.1', reason: 'revoked', count: 4 },
    { address: '192.0.2.7', reason: 'address', count: 1 },
  ]);
  expect(await listed()).toMatchObject({
    refused_at: clock.now(),
    refused_address: '10.0.0.1',
    refused_reason: 'revoked',
    refused_count: 5,
  });
  expect(logged.map(({ address, reason, count }) => [address, reason, count])).toEqual([
    ['10.0.0.1', 'secret', 3],
    ['192.0.2.7', 'address', 1],
    ['10.0.0.1', 'revoked', 1],
  ]);
  expect(counted).toEqual([
    'ingest secret',
    'ingest secret',
    'ingest secret',
    'ingest address',
    'ingest revoked',
  ]);
});

test('[KEY25] text that is not a stored key: counted, not stored', async () => {
  const { ask, refusals, rows, counted } = await scene();
  await ask('wmsk_0000000000000000.0000', '10.0.0.1');
  await ask('nonsense', '10.0.0.1');
  await refusals.flush();
  expect(counted).toEqual(['ingest unknown', 'ingest unknown']);
  expect(await rows()).toEqual([]);
});

test('[KEY25] guesses from ten thousand addresses: at most a thousand are buffered, twenty are stored', async () => {
  const { ask, wrong, refusals, rows, logged, counted, errors } = await scene();
  for (let n = 0; n < 10_000; n += 1) await ask(wrong, `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
  await refusals.flush();
  expect(counted).toHaveLength(10_000);
  expect(logged).toHaveLength(1_000);
  expect(await rows()).toHaveLength(20);
  expect(errors).toEqual([]);
});
