import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { insertOperator, removeOperator } from '#storage/console/operators.ts';
import { openTestDatabase, untilSomebodyWaits } from '../../../test/support/database.ts';
import { makeSignInLink } from './sign-in-link.ts';

test('[CON40] an invitation created while its inviter is being removed: refused, and no link is stored', async () => {
  const { db } = await openTestDatabase();
  const now = systemClock.now();
  const operator = { role: 'operator', accountId: null };
  const [inviter, other] = [randomUUID(), randomUUID()];
  await db.transaction().execute(async (tx) => {
    await insertOperator(tx, { id: inviter, name: 'Mallory', ...operator, now });
    await insertOperator(tx, { id: other, name: 'Ada', ...operator, now });
  });
  const invitation = { kind: 'invitation', name: 'Accomplice', by: inviter, role: operator } as const;
  const made = await db.transaction().execute(async (tx) => {
    expect(await removeOperator(tx, inviter, now)).toBe('removed');
    const making = makeSignInLink(
      { db, clock: systemClock, ids: systemIds },
      'http://localhost',
      invitation,
    ).catch((error: { code: string }) => error.code);
    await untilSomebodyWaits(db);
    return { making };
  });
  expect(await made.making).toBe('SIGN_IN_REQUIRED');
  expect(await db.selectFrom('sign_in_links').selectAll().execute()).toEqual([]);
});
