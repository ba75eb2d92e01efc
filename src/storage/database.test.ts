import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Transform } from 'node:stream';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../test/support/database.ts';
import { openDatabase } from './database.ts';
import { markPrepared } from './prepared-statements.ts';

/** BackendKeyData (PostgreSQL, "Message Formats"): a K, its length, the process id of the server, and a key. */
const KEY_DATA = Buffer.from([0x4b, 0, 0, 0, 12]);

/** Imitates a pooler: sends its clients a made-up process id, because the real one changes with every transaction. */
function withOtherNumbers(): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const at = chunk.indexOf(KEY_DATA);
      if (at !== -1) chunk.writeUInt32BE(99_999_999, at + KEY_DATA.length);
      done(null, chunk);
    },
  });
}

/** Starts a proxy. `change` changes what PostgreSQL sends to the client. */
async function startProxy(socketDirectory: string, change: () => Transform): Promise<number> {
  const server = createServer((client) => {
    const behind = connect(join(socketDirectory, '.s.PGSQL.5432'));
    for (const socket of [client, behind]) socket.on('error', () => {});
    client.pipe(behind).pipe(change()).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function openBehind(change: () => Transform) {
  const { host, ...named } = await createDatabase();
  const database = 'database' in named ? named.database : '';
  const port = await startProxy(host, change);
  const opened = openDatabase({ url: `postgres://rowpress@127.0.0.1:${port}/${database}` }, 2, () => {});
  onTestFinished(() => opened.close());
  return opened;
}

test('behind a pooler: clientOf returns the connection that the transaction runs on', async () => {
  const { db, clientOf } = await openBehind(withOtherNumbers);
  await db.transaction().execute(async (tx) => {
    await sql`create temporary table mine (n int) on commit drop`.execute(tx);
    await (await clientOf(tx)).query('insert into mine values (7)');
    expect((await sql`select n from mine`.execute(tx)).rows).toEqual([{ n: 7 }]);
  });
});

test('[STO82] marked statements: prepared through a proxy if their columns are named; behind a pooler, never', async () => {
  for (const [change, held] of [
    [() => new PassThrough(), 2],
    [withOtherNumbers, 0],
  ] as const) {
    const { pool } = await openBehind(change);
    const client = await pool.connect();
    try {
      // The first statement follows the check of its connection.
      await client.query('select 1');
      await client.query('create temporary table notes (n int)');
      for (const text of [
        'select $1::int as one',
        'insert into notes select * from (select $1::int) given',
        'insert into notes values ($1) returning *',
        'select notes.* from notes where n = $1',
      ])
        for (let n = 0; n < 3; n += 1) await client.query(markPrepared(text), [n]);
      const { rows } = await client.query('select statement from pg_prepared_statements');
      expect(rows).toHaveLength(held);
    } finally {
      client.release();
    }
  }
});

test('[STO8] an idle connection breaks: reported, except during close', async () => {
  const told: string[] = [];
  const database = openDatabase(await createDatabase(), 2, ({ message }) => told.push(message));
  const { rows } = await database.pool.query('select pg_backend_pid() as pid');
  const broken = new Promise((resolve) => database.pool.once('error', resolve));
  const other = openDatabase(await createDatabase(), 1, () => {});
  await other.pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await broken;
  expect(told).toEqual(['terminating connection due to administrator command']);

  const idle = await database.pool.connect();
  idle.release();
  const closed = database.close();
  idle.emit('error', new Error('cut while closing'));
  await closed;
  expect(told).toHaveLength(1);
  await other.close();
});

/**
 * proc(5), /proc/net/tcp: the local port of each connection and, after `02:`, the keepalive timer in hundredths of a
 * second.
 */
function secondsUntilProbe(localPort: number): number | undefined {
  const port = localPort.toString(16).toUpperCase().padStart(4, '0');
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .find((text) => text.trim().split(/\s+/)[1]?.endsWith(`:${port}`));
  const hundredths = / 02:([0-9A-F]{8}) /.exec(line ?? '')?.[1];
  return hundredths === undefined ? undefined : Number.parseInt(hundredths, 16) / 100;
}

test.runIf(existsSync('/proc/net/tcp'))(
  '[JOB15] the database machine disappears: detected within seconds, even during a query',
  async () => {
    const { db, clientOf } = await openBehind(withOtherNumbers);
    await db.transaction().execute(async (tx) => {
      const client = (await clientOf(tx)) as unknown as { connection: { stream: Socket } };
      expect(secondsUntilProbe(client.connection.stream.localPort ?? 0)).toBeLessThan(60);
    });
  },
);
