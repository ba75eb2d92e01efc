import { expect, test } from 'vitest';
import { openTestDatabase } from '../test/support/database.ts';
import { startTestEngine } from '../test/support/engine.ts';
import { openDirectorySink } from '../test/support/upload-surface.ts';
import { createHealth, workGauges } from './observe.ts';
import type { BlobStore } from './storage/blobs/blob-store.ts';
import { openDatabase } from './storage/database.ts';

async function openBlobs(): Promise<Pick<BlobStore, 'receive'>> {
  return (await openDirectorySink()) as unknown as Pick<BlobStore, 'receive'>;
}

const broken: Pick<BlobStore, 'receive'> = {
  receive: async () => {
    throw new Error('EIO: /srv/secret-path');
  },
};

test('[OPS2] a migrated database and a writable blob store are well', async () => {
  const { db } = await openTestDatabase();
  expect(await createHealth(db, await openBlobs())()).toEqual({});
});

test('[OPS2] what is not well is named, without the words of the fault', async () => {
  const { db, pool } = await openTestDatabase();
  await pool.query('delete from kysely_migration');
  expect(await createHealth(db, broken)()).toEqual({
    database: expect.stringMatching(/^migrations are missing: 0001-engine/),
    blobs: 'does not answer as it should',
  });
  const away = openDatabase({ host: '/nowhere', database: 'x', user: 'x' }, 2, () => {});
  expect(await createHealth(away.db, await openBlobs())()).toEqual({
    database: 'does not answer as it should',
  });
  await away.close();
});

test('[OPS3] gauges tell what waits in the tables', async () => {
  const { parts } = await startTestEngine();
  const samples = await workGauges(parts.database.db, parts.clock)();
  expect(samples).toEqual([{ name: 'rowpress_webhooks_pending', labels: {}, value: 0 }]);
});
