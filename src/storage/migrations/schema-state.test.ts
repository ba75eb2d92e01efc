import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createEmptyDatabase, openTestDatabase } from '../../../test/support/database.ts';
import { migrationsOfNextRelease } from '../../../test/support/next-release.ts';
import { migrate, readMigrationState } from '../migrate.ts';

const EXPAND = '-- kind: expand\nalter table jobs add column next_release text;\n';
const CONTRACT = '-- kind: contract, minimum 9000-expand\nalter table jobs drop column next_release;\n';

test('[STO70] a newer release has expanded the schema: this release accepts it and migrates nothing', async () => {
  const { db } = await openTestDatabase();
  expect(await migrate(db, { directory: migrationsOfNextRelease({ '9000-expand': EXPAND }) })).toEqual([
    '9000-expand',
  ]);
  expect(await migrate(db)).toEqual([]);
  expect(await readMigrationState(db)).toMatchObject({
    done: expect.arrayContaining(['9000-expand']),
    pending: [],
    newer: ['9000-expand'],
    refusal: undefined,
  });
});

test('[STO71] a newer release has declared a higher minimum: this release refuses and names all versions', async () => {
  const { db } = await openTestDatabase();
  const own = (await readMigrationState(db)).done.at(-1);
  const directory = migrationsOfNextRelease({ '9000-expand': EXPAND, '9001-contract': CONTRACT });
  await migrate(db, { directory });
  const refusal = new RegExp(
    `its schema version is ${own}, the database has 9001-contract, and the oldest that may run on it is 9000-expand`,
  );
  await expect(migrate(db)).rejects.toThrow(refusal);
  expect((await readMigrationState(db)).refusal).toMatch(refusal);
});

test('[STO71] a release that contains the declared minimum, but not the migration that declared it: is accepted', async () => {
  const { db } = await openTestDatabase();
  await migrate(db, {
    directory: migrationsOfNextRelease({ '9000-expand': EXPAND, '9001-contract': CONTRACT }),
  });
  expect(await migrate(db, { directory: migrationsOfNextRelease({ '9000-expand': EXPAND }) })).toEqual([]);
});

test('[STO71] a migration with a lower minimum than an earlier one: keeps the higher minimum', async () => {
  const { db } = await openTestDatabase();
  const later = '-- kind: contract, minimum 0070-import-slices\nselect 1;\n';
  await migrate(db, {
    directory: migrationsOfNextRelease({
      '9000-expand': EXPAND,
      '9001-contract': CONTRACT,
      '9002-later': later,
    }),
  });
  await expect(migrate(db)).rejects.toThrow('the oldest that may run on it is 9000-expand');
});

test('[STO72] a database that lacks a migration older than its newest: is refused', async () => {
  const { db } = await openTestDatabase();
  await migrate(db, { directory: migrationsOfNextRelease({ '9001-expand': EXPAND }) });
  const directory = migrationsOfNextRelease({ '9000-other': '-- kind: expand\nselect 1;\n' });
  await expect(migrate(db, { directory })).rejects.toThrow(
    'it has 9001-expand, but lacks 9000-other, which this release contains',
  );
  await sql`delete from kysely_migration where name = '9001-expand'`.execute(db);
  expect(await migrate(db, { directory })).toEqual(['9000-other']);
});

test('[STO70] a new database: records the first minimum', async () => {
  const { db } = await createEmptyDatabase();
  await migrate(db);
  expect(await db.selectFrom('schema_minimum').selectAll().execute()).toEqual([
    { only_row: true, version: '0070-import-slices' },
  ]);
});
