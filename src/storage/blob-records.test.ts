import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase, untilSomebodyWaits } from '../../test/support/database.ts';
import {
  condemnBlobs,
  deleteBlobRecords,
  lockCondemnedBlobs,
  referBlobs,
  referProjectBlobs,
  refreshBlobs,
  touchBlob,
} from './blob-records.ts';

const NAME = 'a'.repeat(64);

test('[STO80] a put recorded in the transaction of a caller: throws, because the transaction would not wait either', async () => {
  const { db, pool } = await openTestDatabase();
  const blob = { name: NAME, digest: NAME, sizeBytes: 1 };
  await db.transaction().execute(async (tx) => {
    await expect(touchBlob(tx, blob, new Date())).rejects.toThrow(/own transaction/);
    await expect(refreshBlobs(tx, [NAME], new Date())).rejects.toThrow(/own transaction/);
  });
  expect(await touchBlob(db, blob, new Date())).toBe(true);
  expect(await refreshBlobs(db, [NAME, NAME], new Date())).toEqual({ unreferenced: [NAME] });
  expect(await refreshBlobs(db, [NAME, 'b'.repeat(64)], new Date())).toBeUndefined();
  expect((await pool.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }]);
});

test('[STO83] a blob that a transaction refers to: put again without waiting; a sweep: makes the put wait', async () => {
  const { db } = await openTestDatabase();
  await touchBlob(db, { name: NAME, digest: NAME, sizeBytes: 1 }, new Date(1));
  const waited = async (put: Promise<unknown>) =>
    Promise.race([put.then(() => false), untilSomebodyWaits(db).then(() => true)]);
  await db.transaction().execute(async (tx) => {
    await sql`select from blobs where digest = ${NAME} for key share`.execute(tx);
    expect(await waited(refreshBlobs(db, [NAME], new Date(2)))).toBe(false);
    expect(await waited(touchBlob(db, { name: NAME, digest: NAME, sizeBytes: 1 }, new Date(3)))).toBe(false);
  });
  const late = await db.transaction().execute(async (tx) => {
    expect(await condemnBlobs(tx, [NAME], new Date())).toEqual([NAME]);
    const put = refreshBlobs(db, [NAME], new Date());
    expect(await waited(put)).toBe(true);
    return { put };
  });
  expect(await late.put).toBeUndefined();
});

test('[BLB43] a condemned blob: neither refreshed nor referred to until its bytes are put again', async () => {
  const { db } = await openTestDatabase();
  const blob = { name: NAME, digest: NAME, sizeBytes: 1 };
  const job = '018f0000-0000-7000-8000-000000000001';
  const version = { projectId: job, version: 1 };
  const condemn = () => db.transaction().execute((tx) => condemnBlobs(tx, [NAME], new Date()));
  const locked = () => db.transaction().execute((tx) => lockCondemnedBlobs(tx, [NAME]));
  await touchBlob(db, blob, new Date(1));
  expect(await locked()).toEqual([]);
  expect(await condemn()).toEqual([NAME]);
  expect(await locked()).toEqual([NAME]);
  expect(await refreshBlobs(db, [NAME], new Date())).toBeUndefined();
  await db.transaction().execute(async (tx) => {
    expect(await referBlobs(tx, job, 'input', [NAME])).toBe(false);
    expect(await referProjectBlobs(tx, version, [NAME])).toBe(false);
  });
  await touchBlob(db, blob, new Date());
  expect(await locked()).toEqual([]);
  expect(await refreshBlobs(db, [NAME], new Date())).toEqual({ unreferenced: [NAME] });
});

test('[BLB44] a put during the sweep of the same blob: waits until the file is deleted', async () => {
  const { db } = await openTestDatabase();
  const blob = { name: NAME, digest: NAME, sizeBytes: 1 };
  await touchBlob(db, blob, new Date(1));
  await db.transaction().execute((tx) => condemnBlobs(tx, [NAME], new Date()));
  const { put } = await db.transaction().execute(async (tx) => {
    expect(await lockCondemnedBlobs(tx, [NAME])).toEqual([NAME]);
    const putting = touchBlob(db, blob, new Date());
    const first = await Promise.race([putting.then(() => 'put'), untilSomebodyWaits(db).then(() => 'waits')]);
    expect(first).toBe('waits');
    await deleteBlobRecords(tx, [NAME]);
    return { put: putting };
  });
  expect(await put).toBe(true);
  expect((await sql`select digest from blobs`.execute(db)).rows).toEqual([{ digest: NAME }]);
});
