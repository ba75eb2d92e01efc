import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { deletePassedActions } from './audit-chain.ts';

/** Deletes expired links, sessions and key conflicts, and audit entries older than `actionsBefore`. */
export async function deletePassedConsoleRecords(db: Db, now: Date, actionsBefore: Date): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with links as (delete from sign_in_links where expires_at <= ${now} returning 1),
    sessions as (delete from operator_sessions where expires_at <= ${now} returning 1),
    conflicts as (delete from request_key_conflicts where expires_at <= ${now} returning 1)
    select ((select count(*) from links) + (select count(*) from sessions)
            + (select count(*) from conflicts))::int as deleted`.execute(db);
  return (rows[0]?.deleted ?? 0) + (await deletePassedActions(db, actionsBefore));
}
