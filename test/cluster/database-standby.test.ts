import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { faultOf } from '#lib/errors/fault-of.ts';
import { type Database, openDatabase } from '#storage/database.ts';
import { measureReplication } from '#storage/replication.ts';
import { type DatabasePair, startPair, until } from './database-servers.ts';

let pair: DatabasePair;
beforeAll(async () => {
  pair = await startPair();
  await pair.primary.ask('create table numbers (n int primary key)', 'app');
  await pair.primary.ask('grant all on numbers to app', 'app');
});
afterAll(() => pair.close());

function open(url: string, connections = 4): Database {
  const database = openDatabase({ url }, connections, () => {});
  onTestFinished(() => database.close());
  return database;
}

const insert = (database: Database, n: number) =>
  database.db.transaction().execute(async (tx) => {
    await sql`insert into numbers values (${n})`.execute(tx);
  });
const numbers = async (database: Database) =>
  (await database.pool.query<{ n: number }>('select n from numbers order by n')).rows.map(({ n }) => n);

test('[STO60] the replication mode: none, asynchronous, synchronous, and synchronous without a standby', async () => {
  const database = open(pair.primary.url);
  const mode = async () => {
    const { mode, standbys, waits } = await measureReplication(database.db);
    return [mode, standbys, waits];
  };
  expect(await mode()).toEqual(['asynchronous', 1, false]);
  await pair.primary.waitForStandbys('two');
  await until(async () => (await mode())[0] === 'synchronous');
  expect(await mode()).toEqual(['synchronous', 1, false]);
  await pair.standby.kill();
  await until(async () => (await mode())[1] === 0);
  expect(await mode()).toEqual(['synchronous', 0, true]);
  await pair.primary.waitForStandbys('');
  await until(async () => (await mode())[0] === 'none');
  await pair.standby.start();
  await pair.primary.untilStandbyStreams();
});

test('[STO52] [STO53] the synchronous standby is lost: no commit is acknowledged, writes fail at once, reads work, and the writes take effect once it is back', async () => {
  await pair.primary.waitForStandbys('two');
  const database = open(pair.primary.url);
  await insert(database, 1);
  await database.writes.confirm();
  await pair.standby.kill();

  // As many as the pool has connections: none is left for reads until they are given up.
  const stuck = await Promise.allSettled([2, 3, 4, 5].map((n) => insert(database, n)));
  for (const outcome of stuck) {
    expect(outcome.status).toBe('rejected');
    expect(faultOf((outcome as PromiseRejectedResult).reason)).toBe('unavailable');
  }
  expect(await numbers(database)).toEqual([1]);
  await expect(database.writes.confirm()).rejects.toThrow('does not confirm writes');
  const rejected = await insert(database, 2).catch((error: unknown) => error);
  expect((rejected as Error).message).toBe('the database does not confirm writes');
  const single = database.pool.query('insert into numbers values (9)');
  await expect(single).rejects.toThrow('does not confirm writes');
  expect(await numbers(database)).toEqual([1]);
  // Rejected writes leave no further session behind.
  const waiting = await pair.primary.ask(`select pid from pg_stat_activity where wait_event = 'SyncRep'`);
  expect(waiting.length).toBeLessThanOrEqual(5);

  await pair.standby.start();
  await until(() =>
    database.writes.confirm().then(
      () => true,
      () => false,
    ),
  );
  expect(await numbers(database)).toEqual([1, 2, 3, 4, 5]);
  await insert(database, 6);
});

test('[STO54] the wait for the standby is cancelled on the server: the commit is not acknowledged', async () => {
  await pair.primary.waitForStandbys('two');
  const database = open(pair.primary.url);
  await pair.standby.kill();
  const outcome = insert(database, 7).catch((error: unknown) => error);
  await until(async () => {
    const found = await pair.primary.ask<{ done: boolean }>(
      `select pg_cancel_backend(pid) as done from pg_stat_activity where wait_event = 'SyncRep' and query = 'commit'`,
    );
    return found.length > 0;
  });
  expect(faultOf(await outcome)).toBe('unavailable');
  expect(((await outcome) as Error).message).toContain('synchronous standby');
  await pair.standby.start();
  await pair.primary.untilStandbyStreams();
});

test('[STO56] [STO57] [STO61] the primary fails and its asynchronous standby is promoted: the pool follows, without the rows that had not reached the standby', async () => {
  const both = `postgres://app@127.0.0.1:${pair.primary.port},127.0.0.1:${pair.standby.port}/app?target_session_attrs=read-write`;
  await pair.primary.waitForStandbys('');
  const database = open(both);
  await insert(database, 10);
  const arrived = () => pair.standby.ask('select n from numbers where n = 10', 'app');
  await until(async () => (await arrived()).length > 0);
  await pair.standby.kill();
  await insert(database, 11);
  await pair.primary.kill();
  await pair.standby.start();
  await pair.standby.promote();
  const served = async (from: Database) =>
    (await from.pool.query<{ port: number }>('select inet_server_port() as port')).rows[0]?.port;
  const works = (work: Promise<unknown>) =>
    work.then(
      () => true,
      () => false,
    );
  await until(() => works(insert(database, 12)));
  expect(await served(database)).toBe(pair.standby.port);
  expect((await numbers(database)).slice(-2)).toEqual([10, 12]);
  // The old primary comes back and accepts writes, as in a split brain. The newer timeline wins.
  await pair.primary.start();
  expect(await served(open(both))).toBe(pair.standby.port);
  expect(await served(database)).toBe(pair.standby.port);
});
