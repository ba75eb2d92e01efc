import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';

/** Every put is recorded, also of content that was there: it starts the hour in which no sweep may take it. */
export async function touchBlob(db: Db, digest: string, sizeBytes: number, now: Date): Promise<void> {
  await sql`
    insert into blobs (digest, size_bytes, last_put_at) values (${digest}, ${sizeBytes}, ${now})
    on conflict (digest) do update set last_put_at = greatest(blobs.last_put_at, excluded.last_put_at)`.execute(
    db,
  );
}

export async function refreshBlob(db: Db, digest: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update blobs set last_put_at = greatest(last_put_at, ${now}) where digest = ${digest} returning 1`.execute(
    db,
  );
  return rows.length === 1;
}

export type BlobRole = 'input' | 'work' | 'artifact';

/**
 * Ties blobs to a job. The lock keeps the sweeper away until the reference is committed; false means one of
 * them has been swept since it was put, and the caller must put it again.
 */
export async function referBlobs(
  tx: Tx,
  jobId: string,
  role: BlobRole,
  digests: readonly string[],
): Promise<boolean> {
  const wanted = [...new Set(digests)].sort();
  if (wanted.length === 0) return true;
  const { rows } = await sql<{ digest: string }>`
    select digest from blobs where digest = any(${wanted}) order by digest for key share`.execute(tx);
  if (rows.length !== wanted.length) return false;
  await sql`
    insert into blob_refs (digest, job_id, role) select digest, ${jobId}, ${role} from unnest(${wanted}::text[]) digest
    on conflict do nothing`.execute(tx);
  return true;
}

/** The sizes of blobs by digest; a blob without a record is left out. */
export async function findBlobSizes(
  db: Db,
  digests: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ digest: string; size_bytes: string }>`
    select digest, size_bytes from blobs where digest = any(${digests})`.execute(db);
  return new Map(rows.map(({ digest, size_bytes }) => [digest, Number(size_bytes)]));
}

/** Whether a job still holds blobs in this role. */
export async function hasJobBlobs(db: Db, jobId: string, role: BlobRole): Promise<boolean> {
  const { rows } = await sql`
    select from blob_refs where job_id = ${jobId} and role = ${role} limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Of these digests, those without a record. Until the transaction ends they have one, so that a put of the same content
 * waits for it; `releaseHeldBlobs` takes them back before the commit.
 */
export async function holdUnrecordedBlobs(tx: Tx, digests: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ digest: string }>`
    insert into blobs (digest, size_bytes, last_put_at)
    select digest, 0, ${now} from unnest(${digests}::text[]) digest order by digest
    on conflict (digest) do nothing
    returning digest`.execute(tx);
  return rows.map((row) => row.digest);
}

export async function releaseHeldBlobs(tx: Tx, digests: readonly string[]): Promise<void> {
  await sql`delete from blobs where digest = any(${digests})`.execute(tx);
}

/**
 * Deletes the records of blobs nobody refers to and nobody has put for a while, and returns their digests:
 * their files may go now. A blob that is being tied to a job is locked and left alone.
 */
export async function deleteUnreferencedBlobs(tx: Tx, putBefore: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ digest: string }>`
    delete from blobs where digest in (
      select b.digest from blobs b
      where b.last_put_at < ${putBefore} and not exists (select from blob_refs r where r.digest = b.digest)
      limit ${limit} for update skip locked)
    returning digest`.execute(tx);
  return rows.map((row) => row.digest);
}
