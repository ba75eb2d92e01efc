import { sql } from 'kysely';
import { referProjectBlobs } from './blob-records.ts';
import type { Db, Tx } from './database.ts';
import { json } from './json.ts';

/** One version of a project, with the name that the project has now. */
export interface ProjectRecord {
  readonly projectId: string;
  readonly accountId: string;
  readonly name: string;
  readonly version: number;
  /** The latest version of the project. */
  readonly latest: number;
  readonly pdf: StoredFile;
  readonly package: StoredFile;
  readonly pageCount: number;
  readonly columns: readonly ProjectColumn[];
  readonly createdAt: Date;
  /** When this version was saved. */
  readonly savedAt: Date;
  /** The operator who saved this version; null if a key did. */
  readonly savedBy: string | null;
}

export interface StoredFile {
  /** The name of the blob. */
  readonly blob: string;
  /** SHA-256 of the content. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

export interface ProjectColumn {
  readonly key: string;
  readonly label: string;
}

/** What a save adds to a project. */
export interface NewVersion
  extends Pick<ProjectRecord, 'pdf' | 'package' | 'pageCount' | 'columns' | 'savedBy'> {
  readonly now: Date;
}

export type SavedProject =
  | { readonly outcome: 'saved'; readonly project: ProjectRecord }
  | { readonly outcome: 'name-taken' }
  /** A blob was deleted since it was put. */
  | { readonly outcome: 'blobs-gone' };

/** Inserts a project with its first version. */
export async function insertProject(
  tx: Tx,
  { projectId, accountId, name }: Pick<ProjectRecord, 'projectId' | 'accountId' | 'name'>,
  first: NewVersion,
): Promise<SavedProject> {
  const inserted = await tx
    .insertInto('projects')
    .values({ id: projectId, account_id: accountId, name, version: 1, created_at: first.now })
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows !== 1n) return { outcome: 'name-taken' };
  return insertVersion(tx, accountId, projectId, 1, first);
}

/** Adds a version after the latest one, and renames the project. The caller must hold the lock of `lockProject`. */
export async function addVersion(
  tx: Tx,
  { projectId, accountId, latest, name }: Pick<ProjectRecord, 'projectId' | 'accountId' | 'latest' | 'name'>,
  next: NewVersion,
): Promise<SavedProject> {
  const version = latest + 1;
  try {
    await tx
      .updateTable('projects')
      .set({ version, name })
      .where('account_id', '=', accountId)
      .where('id', '=', projectId)
      .execute();
  } catch (error) {
    // The transaction is aborted: the caller must roll it back.
    if ((error as { constraint?: unknown }).constraint === NAME_CONSTRAINT) return { outcome: 'name-taken' };
    throw error;
  }
  return insertVersion(tx, accountId, projectId, version, next);
}

export const NAME_CONSTRAINT = 'projects_account_id_name_key';

async function insertVersion(
  tx: Tx,
  accountId: string,
  projectId: string,
  version: number,
  { pdf, package: sealed, pageCount, columns, savedBy, now }: NewVersion,
): Promise<SavedProject> {
  await tx
    .insertInto('project_versions')
    .values({
      account_id: accountId,
      project_id: projectId,
      version,
      pdf: pdf.blob,
      pdf_sha256: pdf.sha256,
      pdf_bytes: pdf.sizeBytes,
      package: sealed.blob,
      package_sha256: sealed.sha256,
      package_bytes: sealed.sizeBytes,
      page_count: pageCount,
      columns: json(columns),
      created_at: now,
      saved_by: savedBy,
    })
    .execute();
  if (!(await referProjectBlobs(tx, { projectId, version }, [pdf.blob, sealed.blob])))
    return { outcome: 'blobs-gone' };
  const project = await findProject(tx, accountId, { id: projectId });
  if (project === undefined) throw new Error('bug: a saved project is not found');
  return { outcome: 'saved', project };
}

/** Locks a project until the transaction ends, so that of two saves the second sees the version of the first. */
export async function lockProject(
  tx: Tx,
  accountId: string,
  projectId: string,
): Promise<ProjectRecord | undefined> {
  await tx
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .forUpdate()
    .execute();
  return findProject(tx, accountId, { id: projectId });
}

/** Finds a version of a project by the project's id or name; the latest one if `version` is undefined. */
export async function findProject(
  db: Db,
  accountId: string,
  by: { readonly id: string } | { readonly name: string },
  version?: number,
): Promise<ProjectRecord | undefined> {
  const query = versionsOf(db, accountId)
    .where((eb) => ('id' in by ? eb('p.id', '=', by.id) : eb('p.name', '=', by.name)))
    .where((eb) => eb('v.version', '=', version ?? eb.ref('p.version')));
  const row = await query.executeTakeFirst();
  return row && toRecord(row);
}

export interface ProjectPage {
  readonly accountId: string;
  readonly limit: number;
  readonly after?: { readonly createdAt: Date; readonly id: string };
}

/** Lists projects with their latest versions, the newest project first, with one more if there is a next page. */
export async function listProjects(db: Db, page: ProjectPage): Promise<ProjectRecord[]> {
  const { after } = page;
  let query = versionsOf(db, page.accountId)
    .whereRef('v.version', '=', 'p.version')
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(page.limit + 1);
  if (after !== undefined)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('p.created_at', 'p.id'), '<', tuple(after.createdAt, after.id)),
    );
  return (await query.execute()).map(toRecord);
}

/** Lists versions, the latest first, with one more if there is a next page. */
export async function listProjectVersions(
  db: Db,
  accountId: string,
  projectId: string,
  { limit, before }: { readonly limit: number; readonly before?: number | undefined },
): Promise<ProjectRecord[]> {
  let query = versionsOf(db, accountId)
    .where('p.id', '=', projectId)
    .orderBy('v.version', 'desc')
    .limit(limit + 1);
  if (before !== undefined) query = query.where('v.version', '<', before);
  return (await query.execute()).map(toRecord);
}

/** Deletes a project with its versions; only at this version, if one is given. Returns false if there is no such project. */
export async function deleteProject(
  db: Db,
  accountId: string,
  projectId: string,
  version?: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from projects where account_id = ${accountId} and id = ${projectId}
      and version = coalesce(${version ?? null}::int, version)`.execute(db);
  return numAffectedRows === 1n;
}

type VersionRow = Awaited<ReturnType<ReturnType<typeof versionsOf>['execute']>>[number];

function versionsOf(db: Db, accountId: string) {
  return db
    .selectFrom('projects as p')
    .innerJoin('project_versions as v', 'v.project_id', 'p.id')
    .selectAll('v')
    .select(['p.name', 'p.version as latest', 'p.created_at as project_created_at'])
    .where('p.account_id', '=', accountId)
    .where('p.deleted_at', 'is', null);
}

function toRecord(row: VersionRow): ProjectRecord {
  return {
    projectId: row.project_id,
    accountId: row.account_id,
    name: row.name,
    version: row.version,
    latest: row.latest,
    pdf: { blob: row.pdf, sha256: row.pdf_sha256, sizeBytes: row.pdf_bytes },
    package: { blob: row.package, sha256: row.package_sha256, sizeBytes: row.package_bytes },
    pageCount: row.page_count,
    columns: row.columns as unknown as readonly ProjectColumn[],
    createdAt: row.project_created_at,
    savedAt: row.created_at,
    savedBy: row.saved_by,
  };
}
