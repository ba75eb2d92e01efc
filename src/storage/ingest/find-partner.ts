import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** The partner's number; a partner exists from its first request on. */
export async function findOrCreatePartner(
  db: Db,
  accountId: string,
  partnerId: string,
  now: Date,
): Promise<number> {
  const found = await findPartner(db, accountId, partnerId);
  if (found !== undefined) return found;
  await sql`
    insert into ingest_partners (account_id, partner_id, created_at) values (${accountId}, ${partnerId}, ${now})
    on conflict do nothing`.execute(db);
  const made = await findPartner(db, accountId, partnerId);
  if (made === undefined) throw new Error('bug: a partner was made and is not there');
  return made;
}

export async function findPartner(db: Db, accountId: string, partnerId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('ingest_partners')
    .select('no')
    .where('account_id', '=', accountId)
    .where('partner_id', '=', partnerId)
    .executeTakeFirst();
  return row?.no;
}
