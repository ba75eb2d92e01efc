import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { OutboxEvent } from '#engine/engine-parts.ts';
import { systemClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { insertWebhookSubscription } from '#storage/subscribers/webhook-subscriptions.ts';
import { updateSubscriber } from '#storage/subscribers/write-people.ts';
import { openTestDatabase, untilSomebodyWaits } from '../../../test/support/database.ts';
import type { SubscribersParts } from '../parts.ts';
import { changePerson, setStatus, upsertPerson } from './write-person.ts';

const ACCOUNT = '00000000-0000-7000-8000-000000000001';

/** One person with status `Active`, and a webhook subscription to all events. */
async function scene() {
  const { db } = await openTestDatabase();
  const now = systemClock.now();
  await sql`insert into accounts (id, name, plan, created_at) values (${ACCOUNT}, 'a', 'unlimited', ${now})`.execute(
    db,
  );
  const subscription = {
    id: systemIds.uuid(),
    account_id: ACCOUNT,
    name: 'all',
    url: 'https://receiver.example/',
    status: 'active',
    event_patterns: ['*'],
    secret: Buffer.from('s'),
    secret_preview: '',
    created_at: now,
    updated_at: now,
  };
  await db.transaction().execute((tx) => insertWebhookSubscription(tx, subscription, 20));
  const events: OutboxEvent[] = [];
  const deps = {
    clock: systemClock,
    ids: systemIds,
    secrets: { open: (box: Buffer) => box.toString(), seal: (plain: string) => Buffer.from(plain) },
    outbox: { record: async (_tx: unknown, event: OutboxEvent) => void events.push(event) },
  } as unknown as SubscribersParts;
  const { record } = await db
    .transaction()
    .execute((tx) => upsertPerson(deps, tx, ACCOUNT, { email: 'ada@example.org' }));
  const told = () =>
    events
      .filter(({ type }) => type === 'subscriber.status_changed')
      .map(({ body }) => (body.data as { subscriber: { status: string } }).subscriber.status);
  return { db, deps, id: record.id, told };
}

for (const [what, change] of [
  ['changed', (...[deps, tx, id]: Change) => changePerson(deps, tx, ACCOUNT, id, { status: 'Active' })],
  ['set', (...[deps, tx, id]: Change) => setStatus(deps, tx, ACCOUNT, id, 'Active')],
] as const)
  test(`[SUB65] a status that is ${what} back during another change: is announced`, async () => {
    const { db, deps, id, told } = await scene();
    const other = await db.startTransaction().execute();
    await updateSubscriber(other, ACCOUNT, id, { status: 'Blocked' }, systemClock.now());
    const changing = db.transaction().execute((tx) => change(deps, tx, id));
    await untilSomebodyWaits(db);
    await other.commit().execute();
    expect(await changing).toMatchObject({ status: 'Active' });
    expect(told()).toEqual(['Active']);
  });

type Change = [SubscribersParts, Parameters<typeof changePerson>[1], string];

test('[SUB61] requests that create the same tags in different orders: wait for each other without a deadlock', async () => {
  const { db, deps } = await scene();
  const upsert = (email: string, new_tags: string[]) =>
    db.transaction().execute((tx) => upsertPerson(deps, tx, ACCOUNT, { email, new_tags }));
  for (let round = 0; round < 10; round += 1) {
    const tags = Array.from({ length: 10 }, (_, n) => `Tag ${round} ${n}`);
    const done = await Promise.all([
      upsert(`a${round}@example.org`, tags),
      upsert(`b${round}@example.org`, tags.map((name) => name.toUpperCase()).reverse()),
    ]);
    expect(done.map(({ record }) => record.tags.length)).toEqual([10, 10]);
  }
});
