import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { condemnBlobs, touchBlob } from './blob-records.ts';
import { copyTableOut, withSnapshot } from './transfer.ts';

test('[TRF1] the target fails during a copy: the copy fails and the connections are released', async () => {
  const database = await openTestDatabase();
  const { db } = database;
  await sql`
    insert into blobs (digest, size_bytes, last_put_at)
    select repeat(md5(n::text), 2), n, now() from generate_series(1, 50000) n`.execute(db);
  const full = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('no space'), { code: 'ENOSPC' })),
  });
  const table = { name: 'blobs', columns: ['digest', 'size_bytes', 'last_put_at'] };
  await expect(withSnapshot(database, (client) => copyTableOut(client, table, full))).rejects.toThrow(
    'no space',
  );
  const digests = await withSnapshot(database, async (_client, found) => found);
  expect(digests).toHaveLength(50_000);
});

test('[BLB43] a blob that a killed sweep left without a file: not copied', async () => {
  const database = await openTestDatabase();
  const NAME = 'a'.repeat(64);
  await touchBlob(database.db, { name: NAME, digest: NAME, sizeBytes: 1 }, new Date(1));
  await database.db.transaction().execute((tx) => condemnBlobs(tx, [NAME], new Date()));
  expect(await withSnapshot(database, async (_client, found) => found)).toEqual([]);
});
