import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { sweepUploads } from './sweep.ts';

const ACCOUNT = '00000000-0000-7000-8000-000000000001';

test('[SUB42] any number of uploads whose links closed a day ago: all are deleted', async () => {
  const { db } = await openTestDatabase();
  const clock = new ManualClock('2026-05-01T12:00:00Z');
  const now = clock.now();
  await sql`insert into accounts (id, name, plan, created_at) values (${ACCOUNT}, 'a', 'unlimited', ${now})`.execute(
    db,
  );
  await sql`
    insert into subscriber_uploads (id, account_id, token_hash, created_at, expires_at)
    select gen_random_uuid(), ${ACCOUNT}, sha256(n::text::bytea), ${now}, ${now} from generate_series(1, 2500) n`.execute(
    db,
  );
  clock.advance(86_400_000);
  expect(await sweepUploads({ db, clock })).toBe(0);
  clock.advance(1);
  expect(await sweepUploads({ db, clock })).toBe(2500);
});

test('[RET4] deleting a job: finds its upload through an index', async () => {
  const { db } = await openTestDatabase();
  const steps = await db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain update subscriber_uploads set import_job_id = null where import_job_id = ${ACCOUNT}`.execute(
      tx,
    );
    return rows.map((step) => step['QUERY PLAN']).join(' ');
  });
  expect(steps).toContain('subscriber_uploads_import');
});
