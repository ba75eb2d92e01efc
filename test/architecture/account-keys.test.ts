import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../support/database.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RECORD = join(ROOT, 'docs/decisions/0214-accounts-in-tables.md');
const MIGRATIONS = join(ROOT, 'migrations');
/** The first migration whose tables must have the account in their key. */
const FIRST = '0150';

interface Listed {
  readonly table: string;
  /** `key`, `column`, `none`, or `through …`. */
  readonly account: string;
  readonly parents: readonly string[];
}

function listedTables(): Listed[] {
  const rows = readFileSync(RECORD, 'utf8').matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm);
  return [...rows].map(([, table = '', account = '']) => ({
    table,
    account: account.trim().split(' ')[0] ?? '',
    parents: [...account.matchAll(/`(\w+)`/g)].map(([, parent = '']) => parent),
  }));
}

async function storedTables() {
  const { db } = await openTestDatabase();
  const { rows } = await sql<{ name: string; has_column: boolean; in_key: boolean }>`
    select c.relname as name,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped)
        as has_column,
      exists (select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary and a.attname = 'account_id') as in_key
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`.execute(db);
  return rows;
}

test('[STO103] every table: the record of accounts says how its rows belong to one', async () => {
  const tables = await storedTables();
  const kindOf = ({ has_column, in_key }: (typeof tables)[number]) =>
    in_key ? 'key' : has_column ? 'column' : 'through or none';
  const kindListed = ({ account }: Listed) =>
    account === 'through' || account === 'none' ? 'through or none' : account;
  const sorted = (list: readonly string[]) => list.toSorted();
  expect(sorted(listedTables().map((one) => `${one.table}: ${kindListed(one)}`))).toEqual(
    sorted(tables.map((one) => `${one.name}: ${kindOf(one)}`)),
  );
});

test('[STO103] a table that belongs to an account through another one: names tables that belong to one', () => {
  const listed = listedTables();
  const through = listed.filter(({ account }) => account === 'through');
  expect(through.length).toBeGreaterThan(0);
  for (const { table, parents } of through) {
    expect([table, parents.length]).not.toEqual([table, 0]);
    for (const parent of parents)
      expect([table, listed.find((one) => one.table === parent)?.account]).toEqual([
        table,
        expect.stringMatching(/^(key|column|through)$/),
      ]);
  }
});

test('[STO103] a table of a new migration: has the account in its key, or holds nothing of an account', () => {
  const created = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql') && name >= FIRST)
    .flatMap((name) => [
      ...readFileSync(join(MIGRATIONS, name), 'utf8').matchAll(/^create (?:unlogged )?table (\w+)/gm),
    ])
    .map(([, table = '']) => table);
  const listed = listedTables();
  const wrong = created.filter(
    (table) => !['key', 'none'].includes(listed.find((one) => one.table === table)?.account ?? ''),
  );
  expect(wrong).toEqual([]);
});
