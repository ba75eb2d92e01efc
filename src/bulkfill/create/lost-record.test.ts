import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#storage/database.ts';
import { openScene } from '../../../test/support/bulkfill-client.ts';

/** Deletes what a crash of the database can lose: records that nothing refers to yet. */
const LOSE_RECORDS = `
  create function lose_records() returns trigger language plpgsql as
    'begin delete from blobs b where not exists (select from blob_refs r where r.digest = b.digest); return new; end';
  create trigger lose_records before insert on jobs for each row execute function lose_records()`;

test('[STO81] the record of an input is lost before the job is accepted: 503; the same key then succeeds', async () => {
  const { server, client } = await openScene();
  onTestFinished(() => server.stop());
  const database = openDatabase({ url: server.env.DATABASE_URL ?? '' }, 1, () => {});
  onTestFinished(() => database.close());
  await database.pool.query(LOSE_RECORDS);
  const refused = await client.create({}, { key: 'lost' });
  expect([refused.status, refused.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(refused.headers.get('retry-after')).not.toBeNull();
  await database.pool.query('drop trigger lose_records on jobs');
  const accepted = await client.create({}, { key: 'lost', headers: { prefer: 'wait=0' } });
  expect(accepted.status).toBe(202);
});
