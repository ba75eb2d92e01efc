import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { CHAIN_START } from '#lib/audit/audit-entry.ts';
import { verifyChain } from '#lib/audit/verify-chain.ts';
import { createEmptyDatabase, openTestDatabase } from '../../../test/support/database.ts';
import type { Db } from '../database.ts';
import { migrate } from '../migrate.ts';
import { deletePassedActions, insertAction, readChain, readMarks, withChainSnapshot } from './audit.ts';
import { insertOperator } from './operators.ts';

const at = (day: number) => new Date(Date.UTC(2026, 0, day, 12, 30, 15, 7));

async function addOperator(db: Db): Promise<string> {
  const id = randomUUID();
  await db
    .transaction()
    .execute((tx) =>
      insertOperator(tx, { id, name: 'Ada "Ω"\n', role: 'operator', accountId: null, now: at(1) }),
    );
  return id;
}

const actionOf = (operatorId: string, day = 1) => ({
  id: randomUUID(),
  operatorId,
  action: 'key.created',
  accountId: null,
  target: 'lone \ud800 surrogate',
  details: { scopes: ['b', 'a'], kept: undefined, nested: { z: 1.5, a: null }, text: 'é\u0001"' },
  requestId: 'r',
  at: at(day),
});

const verify = (db: Db) =>
  withChainSnapshot(db, async (tx) => {
    const { checkpoint, head = CHAIN_START } = await readMarks(tx);
    return verifyChain(readChain(tx, checkpoint), { after: checkpoint, head });
  });

test('[CON49] entries written at the same time: form one chain', async () => {
  const { db } = await openTestDatabase();
  expect(await verify(db)).toMatchObject({ ok: true, entries: 0 });
  const operatorId = await addOperator(db);
  await Promise.all(Array.from({ length: 40 }, () => insertAction(db, actionOf(operatorId))));
  expect(await verify(db)).toMatchObject({ ok: true, entries: 40, first: 1, last: { seq: 40 } });
});

test('[CON50] an entry is changed or deleted in the database: the first broken entry is named', async () => {
  const { db, pool } = await openTestDatabase();
  const operatorId = await addOperator(db);
  for (let day = 1; day <= 5; day += 1) await insertAction(db, actionOf(operatorId, day));
  const broken = async (statement: string) => {
    await pool.query('create table kept as select * from operator_actions');
    await pool.query(statement);
    const verdict = await verify(db);
    await pool.query('delete from operator_actions');
    await pool.query('insert into operator_actions select * from kept');
    await pool.query('drop table kept');
    return verdict;
  };
  expect(await broken(`update operator_actions set target = 'x' where seq = 3`)).toMatchObject({ seq: 3 });
  expect(await broken(`update operator_actions set operator_name = 'Eve' where seq = 2`)).toMatchObject({
    seq: 2,
  });
  expect(await broken(`update operator_actions set at = at + interval '1 ms' where seq = 1`)).toMatchObject({
    seq: 1,
  });
  expect(await broken('delete from operator_actions where seq = 2')).toMatchObject({ ok: false, seq: 3 });
  expect(await broken('delete from operator_actions where seq = 5')).toMatchObject({ ok: false, seq: 5 });
  expect(await broken('delete from operator_actions where seq = 1')).toMatchObject({ ok: false, seq: 2 });
  expect(await verify(db)).toMatchObject({ ok: true, entries: 5 });
});

test('[CON51] retention deletes old entries: the rest is still a valid chain, even if none is left', async () => {
  const { db } = await openTestDatabase();
  const operatorId = await addOperator(db);
  // The clock of a node may be slow: an entry that follows a younger one is kept with it.
  for (const day of [1, 2, 3, 9, 4, 10]) await insertAction(db, actionOf(operatorId, day));
  expect(await deletePassedActions(db, at(5))).toBe(3);
  expect(await deletePassedActions(db, at(5))).toBe(0);
  expect(await verify(db)).toMatchObject({ ok: true, entries: 3, first: 4 });
  expect(await deletePassedActions(db, at(20))).toBe(3);
  expect(await verify(db)).toMatchObject({ ok: true, entries: 0 });
  await insertAction(db, actionOf(operatorId, 20));
  expect(await verify(db)).toMatchObject({ ok: true, entries: 1, first: 7 });
});

test('[CON49] entries from before the chain: the migration chains them as the server would', async () => {
  const { db } = await createEmptyDatabase();
  await migrate(db, { upTo: '0063-operator-sessions' });
  const operatorId = randomUUID();
  await sql`insert into operators (id, name, created_at) values (${operatorId}, 'Ada "Ω"\n', ${at(1)})`.execute(
    db,
  );
  const accountId = randomUUID();
  await sql`insert into accounts (id, name, plan, created_at) values (${accountId}, 'Müller & "Söhne"', 'unlimited', ${at(1)})`.execute(
    db,
  );
  for (let n = 1; n <= 3; n += 1) {
    const { action, details, requestId } = actionOf(operatorId);
    const id = `01a1e6a3-9fa7-77cb-9e12-00000000000${n}`;
    await sql`
      insert into operator_actions (id, operator_id, action, account_id, target, details, request_id, at)
      values (${id}, ${operatorId}, ${action}, ${n === 1 ? accountId : null}, ${n === 2 ? null : 'tab\t€'},
              ${n === 3 ? null : JSON.stringify(details)}::json, ${requestId}, ${at(n)})`.execute(db);
  }
  await migrate(db);
  expect(await verify(db)).toMatchObject({ ok: true, entries: 3, first: 1 });
  await insertAction(db, actionOf(operatorId));
  expect(await verify(db)).toMatchObject({ ok: true, entries: 4 });
});
