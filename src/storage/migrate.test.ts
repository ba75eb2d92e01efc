import { expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { migrate } from './migrate.ts';

test('two nodes migrate at once: both succeed and nothing is pending', async () => {
  const { db } = await openTestDatabase();
  const ran = await Promise.all([migrate(db), migrate(db)]);
  expect(ran).toEqual([[], []]);
  const { count } = await db
    .selectFrom('accounts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(count).toBe(0);
});
