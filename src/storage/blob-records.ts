import { sql } from 'kysely';
import { dataKeyIdOf } from './blobs/blob-name.ts';
import type { Db, Tx } from './database.ts';
import { notAwaited } from './not-awaited.ts';
import { prepared } from './prepared-statements.ts';

/** Name, size and SHA-256 of a blob that is being stored; size and SHA-256 are those of the content. */
export interface NewBlob {
  readonly name: string;
  readonly sizeBytes: number;
  readonly digest: string;
}

/**
 * Marks a blob that a sweep is about to delete, as its `last_put_at`. The mark is committed before the file is deleted, so even a killed
 * sweep leaves no unmarked record without a file. Only a put with the bytes removes the mark.
 */
export const CONDEMNED = sql`'epoch'::timestamptz`;

/**
 * In a transaction, the setting of `notAwaited` would apply to everything that the transaction commits. A blob is acknowledged only
 * with the transaction that refers to it. That transaction commits later in the same log, so waiting for it is enough, and a
 * crash before it loses at most records that nothing refers to (docs/decisions/0194-records-without-waiting.md).
 */
function requireOwnTransaction(db: Db): void {
  if (db.isTransaction) throw new Error('bug: a put is recorded in its own transaction');
}

/**
 * Records a put, even of existing content: each put restarts the hour in which no sweep may delete the blob. Returns
 * false, and records nothing, if the blob is encrypted with a data key that is not in the database.
 */
export async function touchBlob(db: Db, { name, sizeBytes, digest }: NewBlob, now: Date): Promise<boolean> {
  requireOwnTransaction(db);
  const contentSha256 = digest === name ? null : digest;
  const keyId = dataKeyIdOf(name) ?? null;
  const { rows } = await sql`${prepared} ${notAwaited}
    insert into blobs (digest, size_bytes, last_put_at, content_sha256)
    select ${name}::text, ${sizeBytes}::bigint, ${now}::timestamptz, ${contentSha256}::text from not_awaited
    where ${keyId}::text is null or exists (select from data_keys where id = ${keyId}::text)
    on conflict (digest) do update set last_put_at = greatest(blobs.last_put_at, excluded.last_put_at)
    returning 1`.execute(db);
  return rows.length === 1;
}

/**
 * Repeats puts of stored blobs without their bytes. Returns undefined if one of them is not stored, otherwise those without a
 * reference: the put that recorded such a blob may not have stored its bytes yet. The lock excludes the
 * sweeper, but not jobs that are being accepted with the same blobs: all creates with one template would take turns.
 */
export async function refreshBlobs(
  db: Db,
  digests: readonly string[],
  now: Date,
): Promise<{ readonly unreferenced: readonly string[] } | undefined> {
  requireOwnTransaction(db);
  const wanted = [...new Set(digests)].sort();
  const { rows } = await sql<{ digest: string; is_referenced: boolean }>`${prepared} ${notAwaited},
    held as (
      select digest from blobs where digest = any(${wanted}::text[]) and last_put_at > ${CONDEMNED}
      order by digest for no key update)
    update blobs b set last_put_at = greatest(b.last_put_at, ${now}::timestamptz)
    from held, not_awaited where b.digest = held.digest
    returning b.digest, exists (select from blob_refs r where r.digest = b.digest) as is_referenced`.execute(
    db,
  );
  if (rows.length !== wanted.length) return undefined;
  return { unreferenced: rows.filter((row) => !row.is_referenced).map(({ digest }) => digest) };
}

export type BlobRole = 'input' | 'work' | 'artifact';

/**
 * Links blobs to a job. The lock blocks the sweeper until the reference is committed. Returns false if a blob was
 * swept since it was put, or is being swept; the caller must then roll back and put it again.
 */
export async function referBlobs(
  tx: Tx,
  jobId: string,
  role: BlobRole,
  digests: readonly string[],
): Promise<boolean> {
  const wanted = [...new Set(digests)].sort();
  if (wanted.length === 0) return true;
  const { rows } = await sql<{ held: number }>`${prepared}
    with held as materialized (
      select digest from blobs where digest = any(${wanted}::text[]) and last_put_at > ${CONDEMNED}
      order by digest for key share),
    linked as (
      insert into blob_refs (digest, job_id, role) select digest, ${jobId}::uuid, ${role}::text from held
      on conflict do nothing)
    select count(*)::int as held from held`.execute(tx);
  return rows[0]?.held === wanted.length;
}

/** Links blobs to a version of a project, as `referBlobs` does to a job. */
export async function referProjectBlobs(
  tx: Tx,
  { projectId, version }: { readonly projectId: string; readonly version: number },
  digests: readonly string[],
): Promise<boolean> {
  const wanted = [...new Set(digests)].sort();
  if (!(await lockBlobs(tx, wanted))) return false;
  await sql`
    insert into blob_refs (digest, project_id, project_version, role)
    select digest, ${projectId}, ${version}, 'project' from unnest(${wanted}::text[]) digest
    on conflict do nothing`.execute(tx);
  return true;
}

/** Reports whether every blob is stored, and locks the records against the sweeper. */
async function lockBlobs(tx: Tx, wanted: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from blobs where digest = any(${wanted}) and last_put_at > ${CONDEMNED}
    order by digest for key share`.execute(tx);
  return rows.length === wanted.length;
}

/** Returns blob sizes by digest. Blobs without a record are omitted. */
export async function findBlobSizes(
  db: Db,
  digests: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ digest: string; size_bytes: string }>`
    select digest, size_bytes from blobs where digest = any(${digests})`.execute(db);
  return new Map(rows.map(({ digest, size_bytes }) => [digest, Number(size_bytes)]));
}

/** The SHA-256 of the content of encrypted blobs, by name. */
export async function findContentDigests(
  db: Db,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ digest: string; content_sha256: string }>`
    select digest, content_sha256 from blobs where digest = any(${names}) and content_sha256 is not null`.execute(
    db,
  );
  return new Map(rows.map(({ digest, content_sha256 }) => [digest, content_sha256]));
}

/** Reports whether a job still references blobs in this role. */
export async function hasJobBlobs(db: Db, jobId: string, role: BlobRole): Promise<boolean> {
  const { rows } = await sql`
    select from blob_refs where job_id = ${jobId} and role = ${role} limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Inserts a placeholder record for each digest that has none and returns those digests. A concurrent put of the same
 * content waits for this transaction. Call `deleteBlobRecords` before the commit.
 */
export async function holdUnrecordedBlobs(tx: Tx, digests: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ digest: string }>`
    insert into blobs (digest, size_bytes, last_put_at)
    select digest, 0, ${now} from unnest(${digests}::text[]) digest order by digest
    on conflict (digest) do nothing
    returning digest`.execute(tx);
  return rows.map((row) => row.digest);
}

export async function deleteBlobRecords(tx: Tx, digests: readonly string[]): Promise<void> {
  await sql`delete from blobs where digest = any(${digests})`.execute(tx);
}

/** Lists the unreferenced blobs that were last put in a period as candidates of the sweep. */
export async function listUnreferencedBlobs(db: Db, putFrom: Date, putBefore: Date): Promise<void> {
  await sql`
    insert into released_blobs (digest)
    select digest from blobs b where b.last_put_at >= ${putFrom} and b.last_put_at < ${putBefore}
      and not exists (select from blob_refs r where r.digest = b.digest)`.execute(db);
}

/** A blob that lost a reference, or was put without getting one. */
export interface ReleasedBlob {
  readonly id: number;
  readonly digest: string;
}

/** Locks the next candidates of the sweep after an id. Skips those that another node examines. */
export async function claimReleasedBlobs(tx: Tx, afterId: number, limit: number): Promise<ReleasedBlob[]> {
  const { rows } = await sql<ReleasedBlob>`
    select id, digest from released_blobs where id > ${afterId}::int8 order by id limit ${limit}
    for update skip locked`.execute(tx);
  return rows;
}

/**
 * Condemns those blobs that have no reference and were last put before `putBefore`. Returns their digests. Once this is committed,
 * nothing relies on them without putting them again. Skips blobs that are locked because a job is about to reference them.
 */
export async function condemnBlobs(tx: Tx, digests: readonly string[], putBefore: Date): Promise<string[]> {
  const find = async (wanted: readonly string[], lock = sql``) => {
    const { rows } = await sql<{ digest: string }>`
      select b.digest from blobs b
      where b.digest = any(${wanted}) and ${isUnreferenced(putBefore)} order by b.digest ${lock}`.execute(tx);
    return rows.map((row) => row.digest);
  };
  const locked = await find(digests, sql`for update skip locked`);
  // A reference that was committed after that statement began is visible only to the next one. From now on there is no new one.
  const condemned = await find(locked);
  await sql`update blobs set last_put_at = ${CONDEMNED} where digest = any(${condemned})`.execute(tx);
  return condemned;
}

/**
 * Locks the records of those blobs that are still condemned, so that the caller can delete the files and then the records. Puts of
 * the same content wait.
 */
export async function lockCondemnedBlobs(tx: Tx, digests: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ digest: string }>`
    select digest from blobs where digest = any(${digests}) and last_put_at = ${CONDEMNED}
    order by digest for update skip locked`.execute(tx);
  return rows.map((row) => row.digest);
}

const isUnreferenced = (putBefore: Date) =>
  sql`b.last_put_at < ${putBefore} and not exists (select from blob_refs r where r.digest = b.digest)`;

/**
 * Ends the candidacy of blobs that were examined. Those that were skipped because they were locked stay. So do no others: a
 * blob that is too young is listed again when it is old enough, and one with a reference when it loses it.
 */
export async function forgetReleasedBlobs(
  tx: Tx,
  examined: readonly ReleasedBlob[],
  putBefore: Date,
): Promise<void> {
  const ids = examined.map(({ id }) => id);
  await sql`
    delete from released_blobs c where c.id = any(${ids}::int8[])
      and not exists (select from blobs b where b.digest = c.digest and ${isUnreferenced(putBefore)})`.execute(
    tx,
  );
}
