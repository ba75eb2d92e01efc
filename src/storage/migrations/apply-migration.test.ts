import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openTestDatabase, untilSomebodyWaits } from '../../../test/support/database.ts';
import { migrationsOfNextRelease } from '../../../test/support/next-release.ts';
import type { Database, Db } from '../database.ts';
import { migrate, readMigrationState } from '../migrate.ts';

const EXPAND = '-- kind: expand\nalter table jobs add column next_release text;\n';
const INDEX =
  '-- kind: expand, outside a transaction\n-- Jobs by kind; for a test.\ncreate index concurrently if not exists jobs_next on jobs (kind);\n';

/** Reads `jobs` in a transaction that stays open until `end`. */
async function longReader({ pool }: Database) {
  const client = await pool.connect();
  await client.query('begin');
  await client.query('select from jobs');
  let ended = false;
  const end = async () => {
    if (ended) return;
    ended = true;
    await client.query('rollback');
    client.release();
  };
  onTestFinished(end);
  return { end };
}

const hasColumn = async (db: Db) =>
  (
    await sql`select from pg_attribute where attrelid = 'jobs'::regclass and attname = 'next_release'`.execute(
      db,
    )
  ).rows.length === 1;

const indexState = async (db: Db) =>
  (
    await sql<{ valid: boolean }>`
      select indisvalid as valid from pg_index where indexrelid = to_regclass('jobs_next')`.execute(db)
  ).rows[0]?.valid;

test('[STO73] a long reader of the table: other statements run between the attempts, and the migration ends after it', async () => {
  const database = await openTestDatabase();
  const { db } = database;
  const reader = await longReader(database);
  let waits = 0;
  let onSecondWait = () => {};
  const waitedTwice = new Promise<void>((resolve) => {
    onSecondWait = resolve;
  });
  const migrating = migrate(db, {
    directory: migrationsOfNextRelease({ '9000-expand': EXPAND }),
    onWait: (message) => {
      expect(message).toMatch(
        /the migration 9000-expand waits for a lock: open transactions: process \d+ \(rowpress\)/,
      );
      waits += 1;
      if (waits === 2) onSecondWait();
    },
  });
  await untilSomebodyWaits(db);
  // Behind the waiting migration. Without a lock timeout this would wait for the reader, which ends only below.
  await sql`select from jobs`.execute(db);
  expect(await hasColumn(db)).toBe(false);
  await waitedTwice;
  await reader.end();
  expect(await migrating).toEqual(['9000-expand']);
  expect(await hasColumn(db)).toBe(true);
});

test('[STO74] a lock that is never free: the migration fails, names the session and applies nothing', async () => {
  const database = await openTestDatabase();
  await longReader(database);
  const migrating = migrate(database.db, {
    directory: migrationsOfNextRelease({ '9000-expand': EXPAND }),
    patienceMs: 10,
  });
  await expect(migrating).rejects.toThrow(
    /9000-expand could not lock a table.*process \d+ \(rowpress\) for \d+ s/,
  );
  expect(await hasColumn(database.db)).toBe(false);
});

test('[STO75] the second of three migrations fails: the first stays, and the next start continues there', async () => {
  const { db } = await openTestDatabase();
  const broken = '-- kind: expand\ncreate table half (id int);\nselect broken;\n';
  const third = '-- kind: expand\ncreate table third (id int);\n';
  const files = { '9000-expand': EXPAND, '9001-broken': broken, '9002-third': third };
  await expect(migrate(db, { directory: migrationsOfNextRelease(files) })).rejects.toThrow('broken');
  expect(await hasColumn(db)).toBe(true);
  expect((await sql`select to_regclass('half') as half`.execute(db)).rows).toEqual([{ half: null }]);
  const repaired = migrationsOfNextRelease({ ...files, '9001-broken': '-- kind: expand\nselect 1;\n' });
  expect(await migrate(db, { directory: repaired })).toEqual(['9001-broken', '9002-third']);
});

test('[STO76] an index built outside a transaction, while another node waits to migrate: is built once', async () => {
  const database = await openTestDatabase();
  const { db } = database;
  const directory = migrationsOfNextRelease({ '9000-expand': EXPAND, '9001-index': INDEX });
  const ran = await Promise.all([1, 2, 3].map(() => migrate(db, { directory })));
  expect(ran.filter((names) => names.length > 0)).toEqual([['9000-expand', '9001-index']]);
  expect(await indexState(db)).toBe(true);
});

test('[STO76] an open writer of the table: the index waits for it, and other writers do not wait', async () => {
  const database = await openTestDatabase();
  const { db } = database;
  const writer = await database.pool.connect();
  await writer.query('begin');
  await writer.query('update jobs set kind = kind');
  const migrating = migrate(db, { directory: migrationsOfNextRelease({ '9001-index': INDEX }) });
  await untilSomebodyWaits(db);
  await sql`update jobs set kind = kind`.execute(db);
  await writer.query('rollback');
  writer.release();
  expect(await migrating).toEqual(['9001-index']);
  expect(await indexState(db)).toBe(true);
});

test('[STO76] an invalid index that a crash left: is dropped and built again', async () => {
  const { db } = await openTestDatabase();
  await sql`create table doubles (n int)`.execute(db);
  await sql`insert into doubles values (1), (1)`.execute(db);
  const text =
    '-- kind: expand, outside a transaction\ncreate unique index concurrently if not exists jobs_next on doubles (n);\n';
  const directory = migrationsOfNextRelease({ '9001-index': text });
  await expect(migrate(db, { directory })).rejects.toThrow('could not create unique index');
  expect(await indexState(db)).toBe(false);
  await sql`truncate doubles`.execute(db);
  expect(await migrate(db, { directory })).toEqual(['9001-index']);
  expect(await indexState(db)).toBe(true);
});

test('[STO76] a crash between the index and its record: the next start records it', async () => {
  const { db } = await openTestDatabase();
  const directory = migrationsOfNextRelease({ '9001-index': INDEX });
  await migrate(db, { directory });
  await sql`delete from kysely_migration where name = '9001-index'`.execute(db);
  expect(await migrate(db, { directory })).toEqual(['9001-index']);
  expect((await readMigrationState(db, directory)).pending).toEqual([]);
});
