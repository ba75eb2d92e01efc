import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { silentLog } from '#lib/plain-log.ts';
import { DiskBlobs } from '#storage/blobs/disk.ts';
import { EncryptedStore } from '#storage/blobs/encrypted-store.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { BlobKeeper } from '../blob-keeper.ts';
import { DATA_KEY_PURPOSE, DataKeys } from '../data-keys.ts';
import { secretRingOf } from '../secret-ring.ts';
import { exportInstallation } from './export-installation.ts';

const ACCOUNT = '018f0000-0000-7000-8000-000000000001';
const OTHER = '018f0000-0000-7000-8000-000000000002';
const [FIRST, SECOND] = ['ab'.repeat(32), 'cd'.repeat(32)];

/** An installation with one encrypted blob, of ACCOUNT, and a data key of OTHER that encrypted none. */
async function scene() {
  const database = await openTestDatabase();
  const { db } = database;
  for (const id of [ACCOUNT, OTHER])
    await sql`insert into accounts (id, name, plan, created_at) values (${id}, ${id}, 'free', now())`.execute(
      db,
    );
  const home = mkdtempSync(join(tmpdir(), 'rp-export-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const secretFile = join(home, 'secret.key');
  writeFileSync(secretFile, `${FIRST}\n`);
  const secrets = { secretKey: undefined, secretKeyPrevious: [] };
  const keys = new DataKeys(db, secretRingOf(secrets, FIRST).box(DATA_KEY_PURPOSE), systemClock);
  const disk = await DiskBlobs.open(join(home, 'blobs'));
  const store = new EncryptedStore(disk, keys);
  await new BlobKeeper(store, db, systemClock, store).put(ACCOUNT, Buffer.from('kept'));
  await keys.ofAccount(OTHER);
  const parts = { database, blobs: disk, dataDir: home, secrets, clock: systemClock, log: silentLog };
  return { db, home, secretFile, disk, parts };
}

test('[SEC23] a secret that is rotated and retired while blobs are copied: the export has the secret of its data keys', async () => {
  const { home, secretFile, disk, parts } = await scene();
  const retiring = Object.assign(Object.create(disk), {
    read: (name: string) => {
      writeFileSync(secretFile, `${SECOND}\n`);
      return disk.read(name);
    },
  });
  await exportInstallation({ ...parts, blobs: retiring }, join(home, 'export'));
  expect(readFileSync(secretFile, 'utf8')).toBe(`${SECOND}\n`);
  expect(readFileSync(join(home, 'export/keys/secret.key'), 'utf8')).toBe(`${FIRST}\n`);
});

test('[SEC23] a data key that was changed or deleted: stops the export only if a blob needs it, and is named', async () => {
  const { db, home, parts } = await scene();
  await sql`update data_keys set sealed = 'x' where account_id = ${OTHER}`.execute(db);
  expect(await exportInstallation(parts, join(home, 'one'))).toMatchObject({ blobs: 1 });
  const { rows } = await sql<{ id: string }>`
    delete from data_keys where account_id = ${ACCOUNT} returning id`.execute(db);
  const failure = await exportInstallation(parts, join(home, 'two')).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(OperatorError);
  expect((failure as Error).message).toContain(`data key ${rows[0]?.id}`);
});
