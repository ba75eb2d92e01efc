import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { DraftOwner } from './project-drafts.ts';

/** A tab that has a project open. */
export interface PresentTab {
  readonly tab: string;
  readonly operatorId: string;
  readonly operatorName: string;
  readonly device: string;
  readonly openedAt: Date;
}

/** Records that a tab has the project open. A tab belongs to the operator who recorded it first. */
export async function recordPresence(
  db: Db,
  { accountId, projectId, operatorId }: DraftOwner,
  { tab, device, now }: { readonly tab: string; readonly device: string; readonly now: Date },
): Promise<void> {
  await sql`
    insert into project_presence (account_id, project_id, tab, operator_id, device, opened_at, seen_at)
    values (${accountId}, ${projectId}, ${tab}, ${operatorId}, ${device}, ${now}, ${now})
    on conflict (project_id, tab) do update set seen_at = excluded.seen_at, device = excluded.device
    where project_presence.operator_id = excluded.operator_id`.execute(db);
}

/** Lists the tabs that were seen after `since`, the first opened first. */
export async function listPresence(db: Db, projectId: string, since: Date): Promise<PresentTab[]> {
  const rows = await db
    .selectFrom('project_presence as p')
    .innerJoin('operators as o', 'o.id', 'p.operator_id')
    .select(['p.tab', 'p.operator_id', 'o.name', 'p.device', 'p.opened_at'])
    .where('p.project_id', '=', projectId)
    .where('p.seen_at', '>', since)
    .orderBy('p.opened_at')
    .orderBy('p.tab')
    .execute();
  return rows.map((row) => ({
    tab: row.tab,
    operatorId: row.operator_id,
    operatorName: row.name,
    device: row.device,
    openedAt: row.opened_at,
  }));
}

export async function deletePresence(
  db: Db,
  { accountId, projectId, operatorId }: DraftOwner,
  tab: string,
): Promise<void> {
  await db
    .deleteFrom('project_presence')
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
    .where('operator_id', '=', operatorId)
    .where('tab', '=', tab)
    .execute();
}

/** Deletes the records of tabs that were last seen before a time. */
export async function deleteOldPresence(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('project_presence').where('seen_at', '<=', before).execute();
}
