import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { parsePlans } from '#config/plans.ts';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';
import { FreeSpace } from '#storage/free-space.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { StorageRoom } from './storage-room.ts';

const A = '00000000-0000-7000-8000-00000000000a';
const B = '00000000-0000-7000-8000-00000000000b';
const UPLOAD = '00000000-0000-7000-8000-0000000000f1';
const digest = (letter: string) => letter.repeat(64);

async function scene() {
  const { db } = await openTestDatabase();
  for (const [id, plan] of [
    [A, 'small'],
    [B, 'unlimited'],
  ])
    await sql`insert into accounts (id, name, plan, created_at) values (${id}, ${id}, ${plan}, now())`.execute(
      db,
    );
  for (const [name, size] of [
    ['a', 600],
    ['b', 300],
    ['c', 50],
  ])
    await sql`insert into blobs (digest, size_bytes, last_put_at) values (${digest(String(name))}, ${size}, now())`.execute(
      db,
    );
  const jobs = { [A]: ['a', 'b'], [B]: ['a', 'b', 'c'] };
  for (const [account, blobs] of Object.entries(jobs)) {
    await sql`insert into jobs (id, account_id, kind, input, state, created_at, rows_total, slices_total, ordered)
      values (${account}, ${account}, 'k', '{}', 'queued', now(), 1, 1, false)`.execute(db);
    // Referenced twice, as input and as artifact, but stored once.
    for (const name of blobs)
      for (const role of ['input', 'artifact'])
        await sql`insert into blob_refs (digest, job_id, role) values (${digest(name)}, ${account}, ${role})`.execute(
          db,
        );
  }
  const upload = JSON.stringify({ digest: digest('c') });
  await sql`insert into subscriber_uploads (id, account_id, token_hash, source, created_at, expires_at)
    values (${UPLOAD}, ${A}, 'x', ${upload}, now(), now())`.execute(db);
  const plans = parsePlans('{"small":{"max_stored_bytes":1000}}');
  return new StorageRoom(db, new FreeSpace([], 0), plans);
}

test('[BLB32] an account at the limit of its plan: rejected with its stored bytes and its limit', async () => {
  const room = await scene();
  await room.require(A, 50);
  const failure = await room.require(A, 51).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SurroundingsError);
  expect(failure).toMatchObject({
    fault: 'storageFull',
    answer: { message: expect.stringContaining('950 bytes and its plan allows 1000') },
  });
});

test('[BLB32] a plan without a limit: stores as much as the disk allows', async () => {
  const room = await scene();
  await room.require(B, 1e12);
});
