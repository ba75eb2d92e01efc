import { sql } from 'kysely';
import type { Db } from './database.ts';

/** A base that some node has prepared. */
export interface PreparedBaseRecord {
  /** The name of its blob. */
  readonly base: string;
  readonly judged: unknown;
}

/** The digest of everything that the base depends on, for one account. */
export interface PreparedBaseKey {
  readonly accountId: string;
  readonly key: Buffer;
}

export async function findPreparedBase(
  db: Db,
  { accountId, key }: PreparedBaseKey,
): Promise<PreparedBaseRecord | undefined> {
  return db
    .selectFrom('prepared_bases')
    .select(['base', 'judged'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Records a base. Does nothing if its blob was deleted in the meantime. */
export async function recordPreparedBase(
  db: Db,
  { accountId, key }: PreparedBaseKey,
  { base, judged }: PreparedBaseRecord,
): Promise<void> {
  await sql`
    insert into prepared_bases (account_id, key, base, judged)
    select ${accountId}::uuid, ${key}::bytea, digest, ${JSON.stringify(judged)}::json
    from blobs where digest = ${base}::text for key share
    on conflict (account_id, key) do update set base = excluded.base, judged = excluded.judged`.execute(db);
}
