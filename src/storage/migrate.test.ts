import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createDatabase, openTestDatabase } from '../../test/support/database.ts';
import { openDatabase } from './database.ts';
import { insertJob } from './jobs/insert-accepted.ts';
import { migrate, readMigrationState } from './migrate.ts';

test('[STO38] several nodes migrate an empty database at once: one applies every migration, the others none', async () => {
  const address = await createDatabase('template0');
  const nodes = Array.from({ length: 6 }, () => openDatabase(address, 2, () => {}));
  try {
    const [first] = nodes;
    if (first === undefined) throw new Error('bug: there are six');
    const { pending: all } = await readMigrationState(first.db);
    expect(all.length).toBeGreaterThan(10);
    const ran = await Promise.all(nodes.map(({ db }) => migrate(db)));
    expect(ran.filter((names) => names.length > 0)).toEqual([all]);
    expect((await readMigrationState(first.db)).pending).toEqual([]);
  } finally {
    for (const node of nodes) await node.close();
  }
});

test('[STO38] a migrated database: nothing is left to migrate', async () => {
  const { db } = await openTestDatabase();
  expect(await migrate(db)).toEqual([]);
});

test('open imports and uploads with slices that count rows from 0: the slices count from 1', async () => {
  const { db } = await openTestDatabase();
  const now = new Date('2026-05-01T12:00:00.000Z');
  const id = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;
  const old = { start: 4, end: 9, row: 10_000, line: 10_002, rows: 3 };
  const { row: _row, ...rest } = old;
  const migrated = { ...rest, firstRow: 10_001 };
  await sql`insert into accounts (id, name, plan, created_at) values (${id(1)}, 'a', 'unlimited', ${now})`.execute(
    db,
  );
  await insertJob(db, {
    id: id(2),
    account_id: id(1),
    kind: 'subscribers.import',
    state: 'queued',
    input: { source: { digest: 'x', slices: [old, old] }, dryRun: false },
    ordered: true,
    slices_total: 2,
    rows_total: 3,
    created_at: now,
  });
  for (const [n, input] of [{ part: 'first-pass' }, { part: 'rows', alone: false, at: old }].entries())
    await sql`insert into slices (job_id, n, state, input, rows_total) values (${id(2)}, ${n}, 'open', ${JSON.stringify(input)}, 3)`.execute(
      db,
    );
  await sql`
    insert into subscriber_uploads (id, account_id, token_hash, source, created_at, expires_at)
    values (${id(3)}, ${id(1)}, 'x', ${JSON.stringify({ digest: 'x', slices: [old] })}, ${now}, ${now})`.execute(
    db,
  );

  const migration = readFileSync(new URL('../../migrations/0070-import-slices.sql', import.meta.url), 'utf8');
  // Twice, because a second run must change nothing.
  for (let run = 0; run < 2; run += 1) await db.transaction().execute((tx) => sql.raw(migration).execute(tx));

  const stored = async (query: ReturnType<typeof sql>) => (await query.execute(db)).rows;
  expect(await stored(sql`select input from slices order by n`)).toEqual([
    { input: { part: 'first-pass' } },
    { input: { part: 'rows', alone: false, at: migrated } },
  ]);
  expect(await stored(sql`select input from jobs`)).toEqual([
    { input: { source: { digest: 'x', slices: [migrated, migrated] }, dryRun: false } },
  ]);
  expect(await stored(sql`select source from subscriber_uploads`)).toEqual([
    { source: { digest: 'x', slices: [migrated] } },
  ]);
});
