import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';

/** Documents that were issued together. */
export interface IssuedDocuments {
  /** 32 hex digits each. Equal documents have equal ids. */
  readonly ids: readonly string[];
  readonly accountId: string;
  readonly projectName: string | null;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

const INSERTED_AT_ONCE = 10_000;

/**
 * Records documents. One that is issued again keeps its first day, and expires with the later issue. The ids are sorted, so that two
 * transactions lock common ones in the same order.
 */
export async function insertVerifyIds(tx: Tx, issued: IssuedDocuments): Promise<void> {
  const { accountId, projectName, issuedAt, expiresAt } = issued;
  const ids = [...new Set(issued.ids)].sort();
  for (let at = 0; at < ids.length; at += INSERTED_AT_ONCE) {
    const batch = ids.slice(at, at + INSERTED_AT_ONCE);
    await sql`
      insert into verify_ids (id, account_id, project_name, issued_at, expires_at)
      select decode(id, 'hex'), ${accountId}, ${projectName}, ${issuedAt}, ${expiresAt}
      from unnest(${batch}::text[]) id
      on conflict (id, account_id) do update set expires_at = excluded.expires_at
      where verify_ids.expires_at < excluded.expires_at`.execute(tx);
  }
}

/** Finds a document that has not expired; if several accounts issued it, the first issue. */
export async function findVerifyId(
  db: Db,
  id: string,
  now: Date,
): Promise<{ readonly projectName: string | null; readonly issuedAt: Date } | undefined> {
  const row = await db
    .selectFrom('verify_ids')
    .select(['project_name', 'issued_at'])
    .where('id', '=', Buffer.from(id, 'hex'))
    .where('expires_at', '>', now)
    .orderBy('issued_at')
    .limit(1)
    .executeTakeFirst();
  return row && { projectName: row.project_name, issuedAt: row.issued_at };
}

/** Deletes expired records. Returns how many. */
export async function deleteExpiredVerifyIds(db: Db, now: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from verify_ids where ctid in (
      select ctid from verify_ids where expires_at <= ${now} order by expires_at limit ${limit} for update skip locked)`.execute(
    db,
  );
  return Number(numAffectedRows);
}
