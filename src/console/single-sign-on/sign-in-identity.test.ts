import { expect, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { signInIdentity } from './sign-in-identity.ts';

const CLAIMED = {
  identity: { issuer: 'https://id.example', subject: 'ada' },
  email: 'ada@example.com',
  name: 'ada@example.com',
  role: { value: 'admins', role: 'operator', account: undefined },
} as const;

test('[PPL12] a sign-in whose audit entry cannot be written: creates neither the person nor the session', async () => {
  const { db, pool } = await openTestDatabase();
  const session = { times: { idleSeconds: 60, maxSeconds: 60 } };
  const parts = { db, clock: systemClock, ids: systemIds, session };
  const signIn = (record: () => Promise<void>) =>
    signInIdentity(parts, CLAIMED, { address: '127.0.0.1', userAgent: null }, record);
  const stored = async () =>
    (
      await pool.query(
        'select (select count(*) from operators) as people, (select count(*) from operator_sessions) as sessions',
      )
    ).rows;
  await expect(signIn(() => Promise.reject(new Error('the log is full')))).rejects.toThrow('the log is full');
  expect(await stored()).toEqual([{ people: 0, sessions: 0 }]);
  expect(await signIn(async () => {})).toMatchObject({ operator: { name: 'ada@example.com' } });
  expect(await stored()).toEqual([{ people: 1, sessions: 1 }]);
});
