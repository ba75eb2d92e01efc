import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';

export interface ImportCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** Locks the imports of an account until the transaction ends, so that they write one after another. */
export async function lockAccountImports(tx: Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${accountId}, 5))`.execute(tx);
}

/** Stores the result of the first pass. Called once per import, because its slice finishes once. */
export async function storeFirstPass(
  tx: Tx,
  jobId: string,
  superseded: Uint8Array | null,
  newTagId: string | null,
): Promise<void> {
  await tx
    .insertInto('subscriber_imports')
    .values({
      job_id: jobId,
      superseded: superseded === null ? null : Buffer.from(superseded),
      new_tag_id: newTagId,
    })
    .execute();
}

export async function addImportCounts(tx: Tx, jobId: string, counts: ImportCounts): Promise<void> {
  await sql`
    update subscriber_imports set created = created + ${counts.created}, updated = updated + ${counts.updated},
           unchanged = unchanged + ${counts.unchanged}
    where job_id = ${jobId}`.execute(tx);
}

/**
 * Returns the superseded bits of a run of rows, or undefined if the file has no duplicates. `firstRow` is a multiple of
 * 8.
 */
export async function findSuperseded(
  db: Db,
  jobId: string,
  firstRow: number,
  rows: number,
): Promise<Uint8Array | undefined> {
  const { rows: found } = await sql<{ bits: Buffer | null }>`
    select substring(superseded from ${firstRow / 8 + 1}::int for ${Math.ceil(rows / 8)}::int) as bits
    from subscriber_imports where job_id = ${jobId}`.execute(db);
  return found[0]?.bits ?? undefined;
}

export async function findNewTag(db: Db, jobId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('subscriber_imports')
    .select('new_tag_id')
    .where('job_id', '=', jobId)
    .executeTakeFirst();
  return row?.new_tag_id ?? undefined;
}

export async function listImportCounts(
  db: Db,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, ImportCounts>> {
  if (jobIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('subscriber_imports')
    .select(['job_id', 'created', 'updated', 'unchanged'])
    .where('job_id', 'in', jobIds)
    .execute();
  return new Map(rows.map(({ job_id, ...counts }) => [job_id, counts]));
}

/** Reports whether an unsettled import uses this tag, by id or by the name it creates. */
export async function isTagInUse(db: Db, accountId: string, id: string, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from jobs where account_id = ${accountId} and kind = 'subscribers.import' and state in ('queued', 'processing')
      and (input::jsonb->'tagIds' ? ${id}::text or lower(btrim(input->>'newTagName')) = ${name.trim().toLowerCase()})
    limit 1`.execute(db);
  return rows.length > 0;
}

export async function isFieldInUse(db: Db, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from jobs where account_id = ${accountId} and kind = 'subscribers.import' and state in ('queued', 'processing')
      and input::jsonb->'plan'->'fields' @> ${JSON.stringify([{ field: { id } }])}::jsonb
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Runs `work` and rolls it back, so that a dry run counts with the same statements as a real one. */
export async function asDryRun<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await sql`savepoint dry_run`.execute(tx);
  const result = await work();
  await sql`rollback to savepoint dry_run`.execute(tx);
  return result;
}
