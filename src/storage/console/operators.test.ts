import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import type { Tx } from '../database.ts';
import { insertAction } from './audit.ts';
import { changeRole, insertOperator, removeOperator } from './operators.ts';

const now = new Date(Date.UTC(2026, 0, 1));
const actionOf = (operatorId: string) => ({
  id: randomUUID(),
  operatorId,
  action: 'key.created',
  accountId: null,
  target: null,
  details: null,
  requestId: 'r',
  at: now,
});

test.each<[string, (tx: Tx, id: string) => Promise<string>, string]>([
  ['role change', (tx, id) => changeRole(tx, id, { role: 'auditor', accountId: null }), 'changed'],
  ['removal', (tx, id) => removeOperator(tx, id, now), 'removed'],
])(
  '[PPL12] an entry during a %s: does not wait for it, so the two cannot deadlock',
  async (_, change, expected) => {
    const { db } = await openTestDatabase();
    const people = [randomUUID(), randomUUID()] as const;
    await db.transaction().execute(async (tx) => {
      for (const id of people)
        await insertOperator(tx, { id, name: 'Ada', role: 'operator', accountId: null, now });
    });
    await db.transaction().execute(async (changing) => {
      expect(await change(changing, people[1])).toBe(expected);
      for (const id of people)
        await db.transaction().execute(async (tx) => {
          await sql`set local lock_timeout = '5s'`.execute(tx); // A blocked entry fails instead of hanging.
          await insertAction(tx, actionOf(id));
        });
      await insertAction(changing, actionOf(people[0]));
    });
  },
);
