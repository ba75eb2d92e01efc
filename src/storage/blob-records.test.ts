import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase, untilSomebodyWaits } from '../../test/support/database.ts';
import { deleteBlobRecords, lockUnreferencedBlobs, refreshBlobs, touchBlob } from './blob-records.ts';

const NAME = 'a'.repeat(64);

test('[STO80] a put recorded in the transaction of a caller: throws, because the transaction would not wait either', async () => {
  const { db, pool } = await openTestDatabase();
  const blob = { name: NAME, digest: NAME, sizeBytes: 1 };
  await db.transaction().execute(async (tx) => {
    await expect(touchBlob(tx, blob, new Date())).rejects.toThrow(/own transaction/);
    await expect(refreshBlobs(tx, [NAME], new Date())).rejects.toThrow(/own transaction/);
  });
  expect(await touchBlob(db, blob, new Date())).toBe(true);
  expect(await refreshBlobs(db, [NAME, NAME], new Date())).toBe(true);
  expect(await refreshBlobs(db, [NAME, 'b'.repeat(64)], new Date())).toBe(false);
  expect((await pool.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }]);
});

test('[STO83] a blob that a transaction refers to: put again without waiting; a sweep: makes the put wait', async () => {
  const { db } = await openTestDatabase();
  await touchBlob(db, { name: NAME, digest: NAME, sizeBytes: 1 }, new Date(0));
  const waited = async (put: Promise<boolean>) =>
    Promise.race([put.then(() => false), untilSomebodyWaits(db).then(() => true)]);
  await db.transaction().execute(async (tx) => {
    await sql`select from blobs where digest = ${NAME} for key share`.execute(tx);
    expect(await waited(refreshBlobs(db, [NAME], new Date(1)))).toBe(false);
    expect(await waited(touchBlob(db, { name: NAME, digest: NAME, sizeBytes: 1 }, new Date(2)))).toBe(false);
  });
  const late = await db.transaction().execute(async (tx) => {
    expect(await lockUnreferencedBlobs(tx, [NAME], new Date())).toEqual([NAME]);
    const put = refreshBlobs(db, [NAME], new Date());
    expect(await waited(put)).toBe(true);
    await deleteBlobRecords(tx, [NAME]);
    return { put };
  });
  expect(await late.put).toBe(false);
});
