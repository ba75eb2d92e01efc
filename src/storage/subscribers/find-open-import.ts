import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** Whether an import that has not ended names this tag, by id or by the name it makes. */
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
