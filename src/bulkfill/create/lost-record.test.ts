import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#storage/database.ts';
import { openScene } from '../../../test/support/bulkfill-client.ts';

/** Deletes what a crash of the database can lose: the record of a put, right after its commit. */
const LOSE_RECORDS = `
  create function lose_record() returns trigger language plpgsql as
    'begin delete from blobs where digest = new.digest; return null; end';
  create constraint trigger lose_records after insert on blobs deferrable initially deferred
    for each row execute function lose_record()`;

test('[STO81] the record of an input is lost before the job is accepted: 503; the same key then succeeds', async () => {
  const { server, client } = await openScene();
  onTestFinished(() => server.stop());
  const database = openDatabase({ url: server.env.DATABASE_URL ?? '' }, 1, () => {});
  onTestFinished(() => database.close());
  await database.pool.query(LOSE_RECORDS);
  const refused = await client.create({}, { key: 'lost' });
  expect([refused.status, refused.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(refused.headers.get('retry-after')).not.toBeNull();
  await database.pool.query('drop trigger lose_records on blobs');
  const accepted = await client.create({}, { key: 'lost', headers: { prefer: 'wait=0' } });
  expect(accepted.status).toBe(202);
});
