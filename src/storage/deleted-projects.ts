import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';
import { findProject, NAME_CONSTRAINT, type ProjectRecord } from './projects.ts';

/** A deleted project that can be restored. */
export interface DeletedProject {
  readonly projectId: string;
  readonly name: string;
  readonly deletedAt: Date;
}

/**
 * Hides a project until it is restored or swept; only at this version, if one is given. Its name becomes free. Returns false if
 * there is no such project.
 */
export async function hideProject(
  db: Db,
  { accountId, projectId }: Pick<ProjectRecord, 'accountId' | 'projectId'>,
  { now, version }: { readonly now: Date; readonly version?: number | undefined },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update projects set deleted_at = ${now}, deleted_name = name, name = chr(1) || 'deleted:' || id
    where account_id = ${accountId} and id = ${projectId} and deleted_at is null
      and version = coalesce(${version ?? null}::int, version)`.execute(db);
  return numAffectedRows === 1n;
}

/** Lists the projects that were deleted after `since`, the last one first. */
export async function listDeletedProjects(
  db: Db,
  accountId: string,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<DeletedProject[]> {
  const rows = await db
    .selectFrom('projects')
    .select(['id', 'deleted_name', 'deleted_at'])
    .where('account_id', '=', accountId)
    .where('deleted_at', '>', since)
    .orderBy('deleted_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, deleted_name: name, deleted_at: deletedAt }) => {
    if (name === null || deletedAt === null) throw new Error('bug: a deleted project has no name or time');
    return { projectId: id, name, deletedAt };
  });
}

/** Finds and locks a project that was deleted after `since`. */
export async function lockDeletedProject(
  tx: Tx,
  accountId: string,
  projectId: string,
  since: Date,
): Promise<{ readonly name: string } | undefined> {
  const row = await tx
    .selectFrom('projects')
    .select('deleted_name')
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .where('deleted_at', '>', since)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined || row.deleted_name === null ? undefined : { name: row.deleted_name };
}

/** Shows a deleted project again under a name. Returns undefined if another project has the name. */
export async function showProject(
  tx: Tx,
  accountId: string,
  projectId: string,
  name: string,
): Promise<ProjectRecord | undefined> {
  if ((await findProject(tx, accountId, { name })) !== undefined) return undefined;
  await sql`savepoint named`.execute(tx);
  try {
    await tx
      .updateTable('projects')
      .set({ name, deleted_at: null, deleted_name: null })
      .where('account_id', '=', accountId)
      .where('id', '=', projectId)
      .execute();
  } catch (error) {
    // Another transaction has taken the name meanwhile.
    if ((error as { constraint?: unknown }).constraint !== NAME_CONSTRAINT) throw error;
    await sql`rollback to savepoint named`.execute(tx);
    return undefined;
  }
  return findProject(tx, accountId, { id: projectId });
}

/** Deletes projects that can no longer be restored. Returns how many there were. */
export async function deleteHiddenProjects(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from projects where id in
      (select id from projects where deleted_at <= ${before} order by id limit ${limit} for update skip locked)`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0n);
}
