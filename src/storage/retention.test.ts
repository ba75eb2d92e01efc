import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase, untilSomebodyWaits } from '../../test/support/database.ts';
import { findDelivery, findReusableArtifact, insertDelivery } from './artifacts.ts';
import { insertJob } from './jobs/insert-accepted.ts';
import { purgeJob } from './retention.ts';

const NOW = new Date('2026-05-01T12:00:00.000Z');
const LATER = new Date('2026-05-01T18:00:00.000Z');
const WORK = Buffer.alloc(32, 'w');
const id = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;
const [ACCOUNT, LENDER, BORROWER, ARTIFACT] = [id(1), id(2), id(3), id(4)];

const job = (jobId: string) => ({
  id: jobId,
  account_id: ACCOUNT,
  kind: 'x',
  state: 'completed',
  input: {},
  ordered: false,
  slices_total: 0,
  rows_total: 0,
  work_digest: WORK,
  created_at: NOW,
  settled_at: NOW,
});

test('[BF49] a job is purged while another reuses its artifact: the files stay', async () => {
  const { db } = await openTestDatabase();
  await sql`insert into accounts (id, name, plan, created_at) values (${ACCOUNT}, 'a', 'unlimited', ${NOW})`.execute(
    db,
  );
  await insertJob(db, job(LENDER));
  await sql`
    insert into artifacts (id, job_id, account_id, media_type, size_bytes, etag, parts, made_at, purge_at)
    values (${ARTIFACT}, ${LENDER}, ${ACCOUNT}, 'application/zip', 1, 'e', '{}', ${NOW}, ${LATER})`.execute(
    db,
  );
  await sql`insert into deliveries values (${id(5)}, ${LENDER}, ${ARTIFACT}, ${LATER})`.execute(db);
  await sql`insert into blobs values ('digest', 1, ${NOW})`.execute(db);
  await sql`insert into blob_refs values ('digest', ${LENDER}, 'artifact')`.execute(db);

  const borrowing = await db.startTransaction().execute();
  expect(await findReusableArtifact(borrowing, ACCOUNT, WORK, NOW)).toMatchObject({ id: ARTIFACT });
  await insertJob(borrowing, job(BORROWER));
  await insertDelivery(borrowing, {
    id: id(6),
    job_id: BORROWER,
    artifact_id: ARTIFACT,
    expires_at: LATER,
  });
  const letGo = purgeJob(db, LENDER, NOW);
  await untilSomebodyWaits(db);
  await borrowing.commit().execute();
  await letGo;

  expect(await findDelivery(db, LENDER)).toMatchObject({ expires_at: NOW });
  expect(await findDelivery(db, BORROWER)).toMatchObject({ expires_at: LATER, purged_at: null });
  expect((await sql`select from blob_refs`.execute(db)).rows).toHaveLength(1);

  await purgeJob(db, BORROWER, NOW);
  expect(await findDelivery(db, BORROWER)).toMatchObject({ expires_at: NOW, purged_at: NOW });
  expect((await sql`select from blob_refs`.execute(db)).rows).toHaveLength(0);
});
