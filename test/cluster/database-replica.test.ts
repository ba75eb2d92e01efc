import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#storage/database.ts';
import { openReplica } from '#storage/open-replica.ts';
import { readOnly } from '#storage/read-replica.ts';
import { type DatabasePair, startPair, until } from './database-servers.ts';

let pair: DatabasePair;
beforeAll(async () => {
  pair = await startPair();
  await pair.primary.ask('create table numbers (n int primary key)', 'app');
  await pair.primary.ask('grant all on numbers to app', 'app');
});
afterAll(() => pair.close());

function open() {
  const database = openDatabase({ url: pair.primary.url }, 4, () => {});
  const errors: unknown[] = [];
  const settings = { databaseReadUrl: pair.standby.url, databasePool: 4 };
  const replica = openReplica(settings, database.db, (error) => errors.push(error));
  if (replica === undefined) throw new Error('bug: no replica');
  onTestFinished(async () => {
    await replica.close();
    await database.close();
  });
  const insert = (n: number) => sql`insert into numbers values (${n})`.execute(database.db);
  /** Reads in one statement who answers, and whether it has the row. */
  const read = (n: number) =>
    readOnly(database.db, async (db) => {
      const { rows } = await sql<{ standby: boolean; found: boolean }>`
        select pg_is_in_recovery() as standby, exists(select from numbers where n = ${n}) as found`.execute(
        db,
      );
      return rows[0];
    });
  return { replica, insert, read, errors };
}

test('[STO95] [STO96] a write and then a read, a hundred times: the standby answers and has the write', async () => {
  const { insert, read } = open();
  // The first connections take their time.
  await until(async () => (await read(0))?.standby === true);
  let answeredByStandby = 0;
  for (let n = 1; n <= 100; n += 1) {
    await insert(n);
    const answer = await read(n);
    expect(answer?.found).toBe(true);
    if (answer?.standby) answeredByStandby += 1;
  }
  console.info(`answered by the standby: ${answeredByStandby} of 100`);
  expect(answeredByStandby).toBeGreaterThan(0);
});

test('[STO96] [STO97] the standby is behind: the primary answers with the newest state, until the standby has caught up', async () => {
  const { replica, insert, read } = open();
  await until(async () => (await replica.measure()) === 'used');
  await pair.standby.ask('select pg_wal_replay_pause()');
  onTestFinished(() => pair.standby.ask('select pg_wal_replay_resume()').then(() => {}));
  await until(
    async () =>
      (await pair.standby.ask<{ s: string }>('select pg_get_wal_replay_pause_state() as s'))[0]?.s ===
      'paused',
  );
  await insert(201);
  expect(await read(201)).toEqual({ standby: false, found: true });
  await until(async () => (await replica.measure()) === 'behind');
  await pair.standby.ask('select pg_wal_replay_resume()');
  await until(async () => (await read(201))?.standby === true);
});

test('[STO97] the standby is killed and started again: the primary answers meanwhile', async () => {
  const { replica, insert, read, errors } = open();
  await until(async () => (await read(0))?.standby === true);
  await pair.standby.kill();
  await insert(301);
  expect(await read(301)).toEqual({ standby: false, found: true });
  expect(await replica.measure()).toBe('unavailable');
  expect(errors).not.toEqual([]);
  await pair.standby.start();
  await until(async () => (await read(301))?.standby === true);
});

test('[STO97] the standby is promoted, so that it no longer follows the primary: the primary answers', async () => {
  const { replica, insert, read } = open();
  await until(async () => (await replica.measure()) === 'used');
  await pair.standby.promote();
  await insert(401);
  expect(await read(401)).toEqual({ standby: false, found: true });
  await until(async () => (await replica.measure()) === 'unrelated');
});
