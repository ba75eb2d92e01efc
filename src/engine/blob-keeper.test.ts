import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { faultOf } from '#lib/errors/fault-of.ts';
import { DiskBlobs } from '#storage/blobs/disk.ts';
import { EncryptedStore } from '#storage/blobs/encrypted-store.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { BlobKeeper } from './blob-keeper.ts';
import { DATA_KEY_PURPOSE, DataKeys } from './data-keys.ts';
import { secretRingOf } from './secret-ring.ts';

const ACCOUNT = '018f0000-0000-7000-8000-000000000001';

test('[SEC20] a data key that the database lost while the server runs: nothing more is encrypted with it', async () => {
  const { db } = await openTestDatabase();
  await sql`insert into accounts (id, name, plan, created_at) values (${ACCOUNT}, 'acme', 'free', now())`.execute(
    db,
  );
  const root = mkdtempSync(join(tmpdir(), 'rp-keeper-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const ring = secretRingOf({ secretKey: 'ab'.repeat(32), secretKeyPrevious: [] }, undefined);
  const keys = new DataKeys(db, ring.box(DATA_KEY_PURPOSE), systemClock);
  const store = new EncryptedStore(await DiskBlobs.open(root), keys);
  const blobs = new BlobKeeper(store, db, systemClock, store);
  const { digest } = await blobs.put(ACCOUNT, Buffer.from('kept'));
  expect((await blobs.readAll(digest)).toString()).toBe('kept');

  await sql`delete from data_keys`.execute(db);
  const failure = await blobs.put(ACCOUNT, Buffer.from('more')).catch((error: unknown) => error);
  expect(faultOf(failure)).toBe('damaged');
  expect((failure as Error).message).toContain('data_keys');
  const { rows } = await sql`select digest from blobs`.execute(db);
  expect(rows).toEqual([{ digest }]);
  expect(readdirSync(join(root, 'tmp'))).toEqual([]);
});

test('[BLB45] a blob whose put was killed before its file: not stored for a touch, until a put stores it', async () => {
  const { db } = await openTestDatabase();
  const root = mkdtempSync(join(tmpdir(), 'rp-keeper-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const store = await DiskBlobs.open(root);
  const blobs = new BlobKeeper(store, db, systemClock);
  const { digest } = await blobs.put(ACCOUNT, Buffer.from('kept'));
  expect(await blobs.touch(digest)).toBe(true);
  await store.delete(digest);
  expect(await blobs.touch(digest)).toBe(false);
  await blobs.put(ACCOUNT, Buffer.from('kept'));
  expect(await blobs.touch(digest)).toBe(true);
});
