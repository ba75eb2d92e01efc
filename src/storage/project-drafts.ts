import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { JsonValue } from './db-types.ts';
import { json } from './json.ts';

export interface DraftOwner {
  readonly accountId: string;
  readonly projectId: string;
  readonly operatorId: string;
}

export interface ProjectDraft {
  readonly revision: number;
  /** The version that the work began from. */
  readonly baseVersion: number;
  readonly content: JsonValue;
  readonly assets: JsonValue;
  readonly savedAt: Date;
}

export async function findDraft(
  db: Db,
  { accountId, projectId, operatorId }: DraftOwner,
): Promise<ProjectDraft | undefined> {
  const row = await db
    .selectFrom('project_drafts')
    .select(['revision', 'base_version', 'content', 'assets', 'saved_at'])
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
    .where('operator_id', '=', operatorId)
    .executeTakeFirst();
  return (
    row && {
      revision: row.revision,
      baseVersion: row.base_version,
      content: row.content,
      assets: row.assets,
      savedAt: row.saved_at,
    }
  );
}

/** Returns the revision of a draft without its content; 0 if there is none. */
export async function findDraftRevision(
  db: Db,
  { accountId, projectId, operatorId }: DraftOwner,
): Promise<number> {
  const row = await db
    .selectFrom('project_drafts')
    .select('revision')
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
    .where('operator_id', '=', operatorId)
    .executeTakeFirst();
  return row?.revision ?? 0;
}

/** The first revisions of a draft and of the one that replaces it after a deletion must differ, so they follow the time. */
const firstRevision = (now: Date) => (Math.floor(now.getTime() / 1000) % 1_000_000_000) + 1;

/**
 * Writes a draft over `revision`, or as the first one if that is 0. Assets that are undefined stay. Returns the new revision, or
 * undefined if the draft has another one.
 */
export async function writeDraft(
  db: Db,
  { accountId, projectId, operatorId }: DraftOwner,
  revision: number,
  draft: {
    readonly baseVersion: number;
    readonly content: unknown;
    readonly assets: unknown;
    readonly now: Date;
  },
): Promise<number | undefined> {
  const { baseVersion, content, assets, now } = draft;
  const kept = assets === undefined ? sql`project_drafts.assets` : json(assets);
  const { rows } = await sql<{ revision: number }>`
    insert into project_drafts (account_id, project_id, operator_id, revision, base_version, content, assets, saved_at)
    select ${accountId}, ${projectId}, ${operatorId}, ${firstRevision(now)}::int, ${baseVersion}, ${json(content)}, ${json(assets ?? {})}, ${now}
    where ${revision}::int = 0 or exists (
      select from project_drafts where project_id = ${projectId} and operator_id = ${operatorId})
    on conflict (project_id, operator_id) do update set
      revision = project_drafts.revision + 1, base_version = excluded.base_version, content = excluded.content,
      assets = ${kept}, saved_at = excluded.saved_at
    where project_drafts.revision = ${revision}::int
    returning revision`.execute(db);
  return rows[0]?.revision;
}

/** Deletes a draft; with `revision`, only if it still has this one. */
export async function deleteDraft(db: Db, owner: DraftOwner, revision?: number): Promise<void> {
  await db
    .deleteFrom('project_drafts')
    .where('account_id', '=', owner.accountId)
    .where('project_id', '=', owner.projectId)
    .where('operator_id', '=', owner.operatorId)
    .$if(revision !== undefined, (draft) => draft.where('revision', '=', revision as number))
    .execute();
}
