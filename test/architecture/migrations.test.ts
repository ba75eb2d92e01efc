import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { problemsOfMigration, readHotTables } from '../support/migration-problems.ts';

/** Earlier migrations have no header: no release contains them alone. */
const FIRST_CHECKED = '0080';

const hotTables = readHotTables(readFileSync('migrations/README.md', 'utf8'));
const names = readdirSync('migrations')
  .filter((name) => name.endsWith('.sql'))
  .map((name) => name.slice(0, -'.sql'.length));
const problemsOf = (text: string) => problemsOfMigration('9000-next', text, hotTables);

test('[STO77] every migration from 0080 on: states its kind and follows its rules', () => {
  const checked = names.filter((name) => name >= FIRST_CHECKED);
  expect(checked).toContain('0086-schema-minimum');
  const problems = checked.flatMap((name) =>
    problemsOfMigration(name, readFileSync(`migrations/${name}.sql`, 'utf8'), hotTables).map(
      (problem) => `${name}: ${problem}`,
    ),
  );
  expect(problems).toEqual([]);
});

test('[STO77] the list of hot tables: names existing tables only', () => {
  const created = names.flatMap((name) =>
    [...readFileSync(`migrations/${name}.sql`, 'utf8').matchAll(/create (?:unlogged )?table (\w+)/g)].map(
      ([, table]) => table,
    ),
  );
  expect(hotTables.size).toBeGreaterThan(20);
  expect([...hotTables].filter((table) => !created.includes(table))).toEqual([]);
});

test.each([
  ['no kind', 'select 1;'],
  ['a kind in the second line', '-- Adds.\n-- kind: expand\nselect 1;'],
  ['a contract without a minimum', '-- kind: contract\nselect 1;'],
  ['a minimum newer than the migration', '-- kind: contract, minimum 9001-later\nselect 1;'],
])('[STO77] a header with %s: is rejected', (_, text) => {
  expect(problemsOf(text)).toHaveLength(1);
});

test.each([
  'alter table operators drop column last_seen_at',
  'drop table operators',
  'alter table jobs rename column kind to sort',
  'alter table operators rename to users',
  'alter table operators alter column name type varchar(10)',
  'alter table operators add column rank int not null',
])(
  '[STO77] an expand migration with "%s": is rejected, and accepted as a contract migration',
  (statement) => {
    expect(problemsOf(`-- kind: expand\n${statement};`)).toHaveLength(1);
    expect(problemsOf(`-- kind: contract, minimum 0086-schema-minimum\n${statement};`)).toEqual([]);
  },
);

test.each([
  'alter table jobs alter column kind type varchar(10)',
  'alter table jobs alter column kind set not null',
  'alter table jobs add column token uuid default gen_random_uuid()',
  'alter table jobs add column total int generated always as (1) stored',
  'alter table jobs add constraint kinds check (kind > 1)',
  'alter table jobs add check (kind > 1)',
  'alter table jobs add foreign key (account_id) references accounts (id)',
  'alter table jobs add column owner uuid references accounts (id)',
  'alter table jobs add unique (kind)',
  'create index jobs_next on jobs (kind)',
  'CREATE UNIQUE INDEX jobs_next\n  ON jobs (kind)',
  'drop index jobs_next',
  'update jobs set kind = 1',
  'delete from jobs',
  'do $$ begin update jobs set kind = 1; end $$',
  'alter table jobs add column a int; alter table slices add column a int',
  'create index concurrently if not exists jobs_next on jobs (kind)',
])('[STO77] a migration with "%s": is rejected even as a contract migration', (statement) => {
  expect(problemsOf(`-- kind: contract, minimum 0086-schema-minimum\n${statement};`)).toHaveLength(1);
});

test.each([
  'create index concurrently jobs_next on jobs (kind)',
  'alter table jobs add column a int',
  'drop index concurrently jobs_next',
])('[STO77] "%s" outside a transaction: is rejected', (statement) => {
  expect(problemsOf(`-- kind: expand, outside a transaction\n${statement};`)).toHaveLength(1);
});

test.each([
  '-- kind: expand\nalter table jobs add column a text, add column b int not null default 0;',
  '-- kind: expand\nalter table jobs add constraint a check (b > 0) not valid;',
  '-- kind: expand\nalter table jobs validate constraint a; alter table jobs alter column b set not null;',
  '-- kind: expand\nalter table jobs alter column kind drop not null;',
  '-- kind: expand\nalter table jobs add constraint a unique using index b;',
  '-- kind: expand\ncreate table new (a uuid not null default gen_random_uuid()); create index new_a on new (a);',
  '-- kind: expand, outside a transaction\ncreate unique index concurrently if not exists a on jobs (kind);\ndrop index concurrently if exists b;',
])('[STO77] "%s": is accepted', (text) => {
  expect(problemsOf(text)).toEqual([]);
});
