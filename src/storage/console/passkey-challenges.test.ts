import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import {
  deleteChallenge,
  deletePassedChallenges,
  insertChallenge,
  isUsableChallenge,
} from './passkey-challenges.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

test('[PPL22] a sweep: deletes expired challenges and keeps the others, which can be used once', async () => {
  const { db } = await openTestDatabase();
  const [old, open] = [1, 2].map((n) => ({ hash: Buffer.alloc(32, n), operatorId: null })) as [
    Parameters<typeof isUsableChallenge>[1],
    Parameters<typeof isUsableChallenge>[1],
  ];
  await insertChallenge(db, { ...old, expiresAt: at(5) });
  await insertChallenge(db, { ...open, expiresAt: at(6) });
  expect(await isUsableChallenge(db, old, at(4))).toBe(true);
  expect(await isUsableChallenge(db, old, at(5))).toBe(false);
  expect([await deletePassedChallenges(db, at(5)), await deletePassedChallenges(db, at(5))]).toEqual([1, 0]);
  expect([await deleteChallenge(db, old), await deleteChallenge(db, open)]).toEqual([false, true]);
  expect(await isUsableChallenge(db, open, at(5))).toBe(false);
});
