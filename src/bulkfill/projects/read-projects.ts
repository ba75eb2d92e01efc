import type { FastifyRequest } from 'fastify';
import { getPrincipal } from '#http/principal.ts';
import { writeDueEntry } from '#storage/console/due-entry.ts';
import { deleteProject, listProjects, listProjectVersions, type ProjectRecord } from '#storage/projects.ts';
import type { BulkfillParts } from '../parts.ts';
import { decodeCursor, encodeCursor, invalidCursor } from '../read/list-cursor.ts';
import type { ProjectListQuery, ProjectView } from './contract.ts';
import { getOwnedProject, projectNotFound } from './find-owned-project.ts';
import { requireVersion } from './require-version.ts';
import { projectView } from './views.ts';

interface ProjectList<View = ProjectView> {
  readonly data: View[];
  readonly next_cursor: string | null;
}

/** GET /projects: lists the account's projects with their latest versions. */
export async function listOwnedProjects(
  { db }: BulkfillParts,
  request: FastifyRequest,
  { limit, cursor }: ProjectListQuery,
): Promise<ProjectList> {
  const { accountId } = getPrincipal(request);
  const after = cursor === undefined ? {} : { after: decodeCursor(cursor) };
  const found = await listProjects(db, { accountId, limit, ...after });
  return page(found, limit, projectView, ({ createdAt, projectId: id }) => encodeCursor({ createdAt, id }));
}

/** GET …/versions: lists the versions of a project, the latest first. */
export async function listVersions<View>(
  parts: Pick<BulkfillParts, 'db'>,
  request: FastifyRequest,
  { limit, cursor }: ProjectListQuery,
  view: (project: ProjectRecord) => View,
): Promise<ProjectList<View>> {
  if (cursor !== undefined && !/^[1-9][0-9]{0,8}$/.test(cursor)) throw invalidCursor();
  const { accountId, projectId } = await getOwnedProject(parts, request);
  const before = cursor === undefined ? undefined : Number(cursor);
  const found = await listProjectVersions(parts.db, accountId, projectId, { limit, before });
  return page(found, limit, view, ({ version }) => String(version));
}

/** DELETE …/{project_id}: deletes the project with its versions. Jobs keep the files that they use. */
export async function removeProject(parts: BulkfillParts, request: FastifyRequest): Promise<void> {
  const project = await getOwnedProject(parts, request);
  requireVersion(request, project);
  const { accountId, projectId, version } = project;
  const only = request.headers['if-match'] === undefined ? undefined : version;
  const deleted = await parts.db.transaction().execute(async (tx) => {
    const done = await deleteProject(tx, accountId, projectId, only);
    if (done) await writeDueEntry(tx);
    return done;
  });
  if (deleted) return;
  // Another request deleted the project, or saved a version that If-Match does not name.
  requireVersion(request, await getOwnedProject(parts, request));
  throw projectNotFound();
}

function page<View>(
  found: readonly ProjectRecord[],
  limit: number,
  view: (project: ProjectRecord) => View,
  cursorOf: (last: ProjectRecord) => string,
): ProjectList<View> {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const more = found.length > limit && last !== undefined;
  return { data: shown.map(view), next_cursor: more ? cursorOf(last) : null };
}
