import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../test/support/database.ts';
import { openDatabase } from './database.ts';
import { markPrepared, prepared } from './prepared-statements.ts';

async function open() {
  const database = openDatabase(await createDatabase(), 1, () => {});
  onTestFinished(() => database.close());
  const held = async () =>
    (await database.pool.query('select statement from pg_prepared_statements')).rows.length;
  return { database, held };
}

test('a marked statement: prepared once per connection; an unmarked one: never', async () => {
  const { database, held } = await open();
  const add = (a: number) =>
    sql<{ sum: number }>`${prepared} select ${a}::int + 1 as sum`.execute(database.db);
  expect((await add(1)).rows).toEqual([{ sum: 2 }]);
  expect((await add(2)).rows).toEqual([{ sum: 3 }]);
  expect((await database.pool.query(markPrepared('select $1::int as one'), [1])).rows).toEqual([{ one: 1 }]);
  await sql`select ${1}::int`.execute(database.db);
  expect(await held()).toBe(2);
});

test('a text with several statements: unchanged', () => {
  expect(markPrepared('select 1; select 2')).toBe('select 1; select 2');
  expect(markPrepared('BEGIN')).toBe('BEGIN');
  expect(markPrepared(' WITH a AS (select 1) select * from a')).toMatch(/^\/\* prepared \*\//);
});

test('a migration changes the columns of a statement: it fails once and is then prepared again', async () => {
  const { database } = await open();
  await database.pool.query('create table changing (a int)');
  const read = () => sql`${prepared} select * from changing`.execute(database.db);
  await read();
  await database.pool.query('insert into changing values (1); alter table changing add b int');
  await expect(read()).rejects.toThrow(/cached plan/);
  expect((await read()).rows).toEqual([{ a: 1, b: null }]);
});
