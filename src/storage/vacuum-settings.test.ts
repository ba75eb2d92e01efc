import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';

test('[STO91] tables with a row or more for each job: vacuumed and analyzed after 2 % of their rows changed', async () => {
  const { db } = await openTestDatabase();
  const { rows } = await sql<{ relname: string }>`
    select relname from pg_class
    where reloptions @> '{autovacuum_vacuum_scale_factor=0.02,autovacuum_analyze_scale_factor=0.02}' order by relname`.execute(
    db,
  );
  expect(rows.map(({ relname }) => relname)).toEqual(['jobs', 'quota_ledger', 'request_keys', 'slices']);
});
