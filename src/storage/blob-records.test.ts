import { expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { refreshBlobs, touchBlob } from './blob-records.ts';

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
