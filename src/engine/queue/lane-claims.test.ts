import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { connectClient, type Database, openDatabase } from '#storage/database.ts';
import { claimEntries } from '#storage/queue/claim-entries.ts';
import { laneOf, laneOfSql, lanes } from '#storage/queue/lanes.ts';
import { createDatabase } from '../../../test/support/database.ts';
import { LaneClaims } from './lane-claims.ts';
import { Queue } from './queue.ts';

const fail = (error: Error) => {
  throw error;
};

async function openQueue(): Promise<{
  database: Database;
  address: Awaited<ReturnType<typeof createDatabase>>;
}> {
  const address = await createDatabase();
  const database = openDatabase(address, 4, fail);
  onTestFinished(() => database.close());
  const queue = new Queue(database.pool, { leaseMs: 10_000, supervise: false, onError: fail });
  await queue.start();
  await queue.stop();
  return { database, address };
}

/** Inserts entries that may run since an hour ago. */
async function addEntries({ pool }: Database, count: number, priority = 0): Promise<void> {
  await pool.query(
    `insert into pgboss.job_common (name, data, priority, start_after)
     select 'slice', json_build_object('n', i), $2::int, now() - interval '1 hour' + i * interval '1 microsecond'
     from generate_series(1, $1::int) i`,
    [count, priority],
  );
}

async function claimAll(claims: LaneClaims): Promise<number> {
  for (let claimed = 0; ; ) {
    const entries = await claims.claim(250, claimEntries);
    if (entries.length === 0) return claimed;
    claimed += entries.length;
  }
}

/** Claims until something is there. */
async function claimSome(claims: LaneClaims): Promise<unknown[]> {
  for (;;) {
    const entries = await claims.claim(10, claimEntries);
    if (entries.length > 0) return entries.map(({ data }) => data);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A pool that keeps the statements of the claims. */
function recording(database: Database): { pool: pg.Pool; claims: Sent[] } {
  const claims: Sent[] = [];
  const query = (text: string, values: unknown[]) => {
    if (text.includes('skip locked') && text.includes('near')) claims.push({ text, values });
    return database.pool.query(text, values);
  };
  return { pool: { query } as unknown as pg.Pool, claims };
}

const INDEX_ENTRIES = `pg_stat_get_xact_tuples_returned('pgboss.rowpress_claims'::regclass)`;
const ROWS_BY_INDEX = `pg_stat_get_xact_tuples_fetched('pgboss.job_common'::regclass)`;

/** Runs a claim from the given positions, rolls it back, and returns the number of index entries or rows that it read. */
async function entriesRead(
  reader: pg.Client,
  claim: Sent | undefined,
  from: unknown,
  what = INDEX_ENTRIES,
): Promise<number> {
  const [name, priorities, , limit, oldestFirst] = claim?.values ?? [];
  await reader.query('begin');
  await reader.query(claim?.text ?? '', [name, priorities, from, limit, oldestFirst]);
  const { rows } = await reader.query<{ read: number }>(`select ${what}::int as read`);
  await reader.query('rollback');
  return rows[0]?.read ?? -1;
}

test('[JOB30] entries were claimed while a snapshot is held: later claims do not read them', async () => {
  const { database, address } = await openQueue();
  const [snapshot, reader] = [await connectClient(address), await connectClient(address)];
  onTestFinished(async () => void (await Promise.all([snapshot.end(), reader.end()])));
  await snapshot.query('begin isolation level repeatable read');
  await snapshot.query('select count(*) from pgboss.job');
  const sent = recording(database);
  const claims = new LaneClaims(sent.pool, 'slice', { ages: false, onError: fail });
  await addEntries(database, 3_000);
  expect(await claimAll(claims)).toBe(3_000);
  await claims.claim(8, claimEntries);
  await claims.idle();
  const last = sent.claims.at(-1);
  expect(await entriesRead(reader, last, last?.values[2])).toBe(0);
  expect(
    await entriesRead(
      reader,
      last,
      lanes.map(() => 0),
    ),
  ).toBeGreaterThanOrEqual(3_000);
});

test('[JOB40] entries in many lanes: a claim reads those of the first lanes, and later claims the rest', async () => {
  const { database, address } = await openQueue();
  const reader = await connectClient(address);
  onTestFinished(() => reader.end());
  const sent = recording(database);
  const claims = new LaneClaims(sent.pool, 'slice', { ages: false, onError: fail });
  for (const priority of lanes) await addEntries(database, 100, priority);
  const first = await claims.claim(8, claimEntries);
  expect(first.map(({ data }) => data)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({ n })));
  await claims.idle();
  const last = sent.claims.at(-1);
  expect(await entriesRead(reader, last, last?.values[2])).toBeLessThanOrEqual(50);
  expect(await claimAll(claims)).toBe(lanes.length * 100 - 8);
  await claims.idle();
});

test('[JOB40] the table has no statistics yet: a claim does not read the other entries of its queue', async () => {
  const { database, address } = await openQueue();
  const reader = await connectClient(address);
  onTestFinished(() => reader.end());
  const sent = recording(database);
  const claims = new LaneClaims(sent.pool, 'slice', { ages: false, onError: fail });
  await addEntries(database, 3_000);
  await claims.claim(8, claimEntries);
  await claims.idle();
  const last = sent.claims.at(-1);
  expect(await entriesRead(reader, last, last?.values[2], ROWS_BY_INDEX)).toBeLessThanOrEqual(100);
});

test('[JOB40] other processes are claiming 48 entries at the same moment: a claim of 16 finds as many as it needs', async () => {
  const { database, address } = await openQueue();
  const others = await connectClient(address);
  onTestFinished(() => others.end());
  const claims = new LaneClaims(database.pool, 'slice', { ages: false, onError: fail });
  await addEntries(database, 200);
  await others.query('begin');
  await others.query(
    'select from pgboss.job_common where priority = 0 order by start_after limit 48 for update',
  );
  const claimed = await claims.claim(16, claimEntries);
  expect(claimed.map(({ data }) => data)).toEqual(Array.from({ length: 16 }, (_, i) => ({ n: 49 + i })));
  await claims.idle();
});

test('[JOB31] an entry appears behind the claimed ones: claimed, although claims start after it', async () => {
  const { database } = await openQueue();
  const claims = new LaneClaims(database.pool, 'slice', { ages: false, onError: fail });
  await addEntries(database, 10);
  expect(await claimAll(claims)).toBe(10);
  await addEntries(database, 1);
  expect(await claimSome(claims)).toEqual([{ n: 1 }]);
  await claims.idle();
});

test('[JOB31] a node of an earlier release writes an entry: claimed, whatever its priority is', async () => {
  const { database } = await openQueue();
  const claims = new LaneClaims(database.pool, 'slice', { ages: false, onError: fail });
  expect(await claimAll(claims)).toBe(0);
  for (const priority of [-3, -57, -1_000_000_000]) await addEntries(database, 1, priority);
  const found: unknown[] = [];
  while (found.length < 3) found.push(...(await claimSome(claims)));
  expect(found).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }]);
  await claims.idle();
});

test('[JOB34] the first lane is never empty: an entry of the last one is claimed too, one time in eight', async () => {
  const { database } = await openQueue();
  const claims = new LaneClaims(database.pool, 'slice', { ages: true, onError: fail });
  await addEntries(database, 5, -65_536);
  await addEntries(database, 40);
  await database.pool.query(
    `update pgboss.job_common set start_after = start_after - interval '1 hour' where priority < 0`,
  );
  const lanesClaimed: string[] = [];
  for (let i = 0; i < 32; i += 1) {
    const [entry] = await claims.claim(1, claimEntries);
    const { rows } = await database.pool.query<{ priority: number }>(
      'select priority from pgboss.job_common where id = $1',
      [entry?.id],
    );
    lanesClaimed.push(rows[0]?.priority === 0 ? 'first' : 'last');
  }
  expect(lanesClaimed.filter((lane) => lane === 'last')).toHaveLength(4);
  expect(lanesClaimed.indexOf('last')).toBeLessThan(8);
  await claims.idle();
});

test('[JOB10] the number of entries ahead: doubles from lane to lane, in SQL too', async () => {
  const ahead = [0, 1, 2, 3, 4, 7, 8, 1_000, 65_535, 65_536, 10_000_000];
  const priorities = [0, -1, -2, -2, -4, -4, -8, -512, -32_768, -65_536, -65_536];
  expect(ahead.map(laneOf)).toEqual(priorities);
  const {
    database: { pool },
  } = await openQueue();
  const text = `select ${laneOfSql('n')} as lane from unnest($1::int8[]) with ordinality a (n, place) order by place`;
  const { rows } = await pool.query<{ lane: number }>(text, [ahead]);
  expect(rows.map(({ lane }) => lane)).toEqual(priorities);
});
