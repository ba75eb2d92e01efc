import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { SubscriberUploads } from '../db-types.ts';
import { json } from '../json.ts';

export type UploadRecord = Selectable<SubscriberUploads>;

export async function insertUpload(
  db: Db,
  upload: Pick<
    UploadRecord,
    'id' | 'account_id' | 'issued_by' | 'token_hash' | 'file_name' | 'created_at' | 'expires_at'
  >,
): Promise<void> {
  await db.insertInto('subscriber_uploads').values(upload).execute();
}

export function findUpload(db: Db, accountId: string, id: string): Promise<UploadRecord | undefined> {
  return db
    .selectFrom('subscriber_uploads')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function findUploadByToken(db: Db, tokenHash: Buffer): Promise<UploadRecord | undefined> {
  return db
    .selectFrom('subscriber_uploads')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

export interface ArrivedFile {
  readonly fileName: string | null;
  readonly sizeBytes: number;
  readonly headers: readonly string[];
  readonly rowCount: number;
  readonly source: unknown;
}

/**
 * Records a received file, which may replace an earlier one until an import uses it. Returns undefined if an import has
 * used the upload or it has expired.
 */
export async function recordArrival(
  db: Db,
  id: string,
  file: ArrivedFile,
  now: Date,
): Promise<UploadRecord | undefined> {
  return db
    .updateTable('subscriber_uploads')
    .set({
      file_name: sql`coalesce(${file.fileName}, file_name)`,
      size_bytes: file.sizeBytes,
      headers: [...file.headers],
      row_count: file.rowCount,
      source: json(file.source),
      uploaded_at: now,
    })
    .where('id', '=', id)
    .where('queued_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Assigns the upload to its import, in the transaction of the import's first step. Returns false if it is already
 * assigned.
 */
export async function takeUpload(tx: Tx | Db, id: string, jobId: string, now: Date): Promise<boolean> {
  const result = await tx
    .updateTable('subscriber_uploads')
    .set({ import_job_id: jobId, queued_at: now })
    .where('id', '=', id)
    .where('queued_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function deleteExpiredUploads(db: Db, expiredBefore: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from subscriber_uploads where id in (
      select id from subscriber_uploads where expires_at < ${expiredBefore} limit ${limit} for update skip locked)`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
