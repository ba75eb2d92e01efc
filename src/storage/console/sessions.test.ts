import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { insertAction } from './audit.ts';
import { insertOperator } from './operators.ts';
import { insertConflict, listConflicts } from './request-key-records.ts';
import { deletePassedConsoleRecords, findSession, insertSession } from './sessions.ts';
import { insertSignInLink } from './sign-in-links.ts';

const at = (day: number) => new Date(Date.UTC(2026, 0, day));

test('[CON25] a sweep: deletes expired links, sessions, conflicts and old actions, and nothing else', async () => {
  const { db, pool } = await openTestDatabase();
  const [operatorId, accountId] = [randomUUID(), randomUUID()];
  await db
    .transaction()
    .execute((tx) =>
      insertOperator(tx, { id: operatorId, name: 'Ada', role: 'operator', accountId: null, now: at(1) }),
    );
  await pool.query(`insert into accounts (id, name, plan, created_at) values ($1, 'a', 'unlimited', $2)`, [
    accountId,
    at(1),
  ]);
  // One of each kind that has expired on the 10th and one that has not.
  for (const [n, day] of [5, 15].entries()) {
    const tokenHash = Buffer.alloc(32, n);
    const expiresAt = at(day);
    const nobody = { name: null, operatorId: null, invitedBy: null };
    await insertSignInLink(db, {
      id: randomUUID(),
      tokenHash,
      ...nobody,
      role: { role: 'operator', accountId: null },
      now: at(1),
      expiresAt,
    });
    const session = { id: randomUUID(), tokenHash, operatorId, address: null, userAgent: null };
    await db.transaction().execute((tx) => insertSession(tx, { ...session, now: at(1), expiresAt }));
    const conflict = { accountId, surface: 'bulkfill', key: 'k', differsIn: ['rows'], at: at(1), expiresAt };
    await insertConflict(db, { ...conflict, id: randomUUID(), requestId: `until-${day}` });
    const action = { operatorId, action: 'signed-in', accountId: null, target: null, details: null };
    await insertAction(db, { ...action, id: randomUUID(), requestId: 'r', at: at(day) });
  }
  expect(await deletePassedConsoleRecords(db, at(10), at(10))).toBe(4);
  expect(await deletePassedConsoleRecords(db, at(10), at(10))).toBe(0);
  expect((await listConflicts(db, { key: 'k' })).map(({ request_id }) => request_id)).toEqual(['until-15']);
  const bounds = { now: at(10), seenAfter: at(0), createdAfter: at(0) };
  expect(await findSession(db, Buffer.alloc(32, 1), bounds)).toMatchObject({ name: 'Ada' });
  for (const table of ['sign_in_links', 'operator_sessions', 'operator_actions'])
    expect((await pool.query(`select 1 from ${table}`)).rowCount).toBe(1);
});
