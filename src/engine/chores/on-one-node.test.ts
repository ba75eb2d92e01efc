import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { withChoreLock } from '#storage/chore-runs.ts';
import { type Database, type Db, openDatabase } from '#storage/database.ts';
import { createDatabase } from '../../../test/support/database.ts';
import { onOneNode } from './on-one-node.ts';

const PATIENCE = { timeout: 20_000 };
const NOW = '2026-03-01T00:00:00Z';

/** Two nodes of one installation: each has its own connections. */
async function twoNodes(poolSize = 4): Promise<[Database, Database]> {
  const address = await createDatabase();
  const open = () => {
    const database = openDatabase(address, poolSize, () => {});
    onTestFinished(() => database.close());
    return database;
  };
  return [open(), open()];
}

/** A chore that runs until `end` is called. */
function heldChore() {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let runs = 0;
  const run = () => {
    runs += 1;
    begun.resolve();
    return ended.promise;
  };
  return { run, begun: begun.promise, end: () => ended.resolve(), runs: () => runs };
}

/** Ends the session that holds the lock, as PostgreSQL does when the connection of a dead process closes. */
async function killHolder(db: Db): Promise<void> {
  await sql`
    select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and d.datname = current_database()`.execute(db);
}

test('[OPS130] two nodes whose chore is due at once: one of them runs it', async () => {
  const [first, second] = await twoNodes();
  const clock = new ManualClock(NOW);
  const chore = heldChore();
  const on = (database: Database) =>
    onOneNode({ database, clock }, [{ name: 'sweep', everyMs: 1000, run: chore.run }])[0];
  const running = on(first)?.run();
  await chore.begun;
  await on(second)?.run();
  expect(chore.runs()).toBe(1);
  chore.end();
  await running;
  clock.advance(1000);
  await on(second)?.run();
  expect(chore.runs()).toBe(2);
});

test('[OPS130] the clock was ahead during the last run and was corrected: the chore runs', async () => {
  const [database] = await twoNodes();
  const clock = new ManualClock('2036-03-01T00:00:00Z');
  let runs = 0;
  const run = async () => {
    runs += 1;
  };
  const [chore] = onOneNode({ database, clock }, [{ name: 'sweep', everyMs: 1000, run }]);
  await chore?.run();
  const [corrected] = onOneNode({ database, clock: new ManualClock(NOW) }, [
    { name: 'sweep', everyMs: 1000, run },
  ]);
  await corrected?.run();
  expect(runs).toBe(2);
});

test('[OPS130] a node that runs one chore: another node runs another one', async () => {
  const [first, second] = await twoNodes();
  const chore = heldChore();
  const running = withChoreLock(first.db, 'sweep', chore.run);
  await chore.begun;
  expect(await withChoreLock(second.db, 'webhooks', async () => 'ran')).toBe('ran');
  chore.end();
  await running;
});

test('[OPS131] the node that runs a chore dies: another node takes over', async () => {
  const [first, second] = await twoNodes();
  const chore = heldChore();
  const running = withChoreLock(first.db, 'sweep', chore.run);
  await chore.begun;
  const takeOver = () => withChoreLock(second.db, 'sweep', async () => 'ran');
  expect(await takeOver()).toBeUndefined();
  await killHolder(second.db);
  await expect.poll(takeOver, PATIENCE).toBe('ran');
  chore.end();
  await running;
});

test('[OPS131] a node that disappears without closing its connections: the server ends its lock', async () => {
  const [first, second] = await twoNodes();
  const chore = heldChore();
  // Never confirmed, as by a machine without power.
  const running = withChoreLock(first.db, 'sweep', chore.run, { confirmMs: 3_600_000, silenceMs: 100 });
  await chore.begun;
  await expect.poll(() => withChoreLock(second.db, 'sweep', async () => 'ran'), PATIENCE).toBe('ran');
  chore.end();
  await running;
});

test('[OPS131] a chore that runs longer than the silence that ends a lock: keeps it', async () => {
  const [first, second] = await twoNodes();
  const chore = heldChore();
  const running = withChoreLock(first.db, 'sweep', chore.run, { confirmMs: 10, silenceMs: 5_000 });
  await chore.begun;
  const changes = async () => {
    const { rows } = await sql<{ state_change: Date }>`
      select state_change::text from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`.execute(
      second.db,
    );
    return JSON.stringify(rows);
  };
  const before = await changes();
  await expect.poll(changes, PATIENCE).not.toBe(before);
  expect(await withChoreLock(second.db, 'sweep', async () => 'ran')).toBeUndefined();
  chore.end();
  await running;
});

test('[OPS132] a chore that another node ran a moment ago: rests; after an error it does not', async () => {
  const [first, second] = await twoNodes();
  const clock = new ManualClock(NOW);
  const ran: string[] = [];
  let fails = false;
  const on = (database: Database, node: string) =>
    onOneNode({ database, clock }, [
      {
        name: 'sweep',
        everyMs: 1000,
        run: async () => {
          ran.push(node);
          if (fails) throw new Error('the store is unavailable');
        },
      },
    ])[0];
  await on(first, 'a')?.run();
  clock.advance(499);
  await on(second, 'b')?.run();
  expect(ran).toEqual(['a']);
  clock.advance(1);
  fails = true;
  await expect(on(second, 'b')?.run()).rejects.toThrow('the store is unavailable');
  fails = false;
  await on(first, 'a')?.run();
  expect(ran).toEqual(['a', 'b', 'a']);
});

test('[OPS130] more chores than connections: run one after the other', async () => {
  const [database] = await twoNodes(2);
  const clock = new ManualClock(NOW);
  let ended = 0;
  const run = async () => {
    await sql`select`.execute(database.db);
    ended += 1;
  };
  const names = ['a', 'b', 'c', 'd', 'e'];
  const chores = onOneNode(
    { database, clock },
    names.map((name) => ({ name, everyMs: 1000, run })),
  );
  await Promise.all(chores.map((chore) => chore.run()));
  expect(ended).toBe(5);
});
