import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { listInputBlobs } from './jobs.ts';

const ID = '018f0000-0000-7000-8000-000000000001';
const [PLAIN, CONTENT] = ['a'.repeat(64), 'b'.repeat(64)];
const ENCRYPTED = `${'c'.repeat(64)}-0123456789abcdef`;

test('[SEC18] inputs of a job, plain and encrypted: listed by the SHA-256 of their contents', async () => {
  const { db } = await openTestDatabase();
  await sql`insert into accounts (id, name, plan, created_at) values (${ID}, 'acme', 'free', now())`.execute(
    db,
  );
  await sql`insert into jobs (id, account_id, kind, state, input, ordered, slices_total, rows_total, created_at)
    values (${ID}, ${ID}, 'bulkfill.export', 'queued', '{}', false, 1, 1, now())`.execute(db);
  await sql`insert into blobs (digest, size_bytes, last_put_at, content_sha256)
    values (${PLAIN}, 2, now(), null), (${ENCRYPTED}, 1, now(), ${CONTENT})`.execute(db);
  await sql`insert into blob_refs (digest, job_id, role)
    values (${PLAIN}, ${ID}, 'input'), (${ENCRYPTED}, ${ID}, 'input')`.execute(db);
  const inputs = await listInputBlobs(db, ID);
  expect(inputs.map(({ sha256 }) => sha256)).toEqual([PLAIN, CONTENT]);
});
