import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../test/support/database.ts';
import { openDatabase } from './database.ts';
import { ReadReplica } from './read-replica.ts';

test('[STO97] a database user who cannot read positions: the primary answers', async () => {
  const address = await createDatabase();
  const owner = openDatabase({ ...address, user: 'rowpress' }, 1, () => {});
  // Functions have rights per database, so this concerns no other test.
  await sql`revoke execute on function pg_control_system() from public`.execute(owner.db);
  await owner.close();
  const primary = openDatabase(address, 2, () => {});
  const errors: unknown[] = [];
  const replica = new ReadReplica(
    primary.db,
    openDatabase(address, 2, () => {}),
    (error) => errors.push(error),
  );
  onTestFinished(async () => {
    await replica.close();
    await primary.close();
  });
  const read = () => replica.run(async (db) => (await sql`select 1 as found`.execute(db)).rows);
  expect(await read()).toEqual([{ found: 1 }]);
  expect(errors).toEqual([expect.objectContaining({ problem: 'unavailable' })]);
  expect(errors[0]).toHaveProperty('cause.message', 'permission denied for function pg_control_system');
  expect(await replica.measure()).toBe('unavailable');
});
