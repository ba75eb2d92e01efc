import type { FastifyRequest } from 'fastify';
import { RESTORABLE_MS } from '#engine/retention/deleted-projects.ts';
import { getPrincipal } from '#http/principal.ts';
import { isUuid } from '#lib/ids.ts';
import { withEntry, writeDueEntry } from '#storage/console/due-entry.ts';
import {
  type DeletedProject,
  hideProject,
  listDeletedProjects,
  lockDeletedProject,
  showProject,
} from '#storage/deleted-projects.ts';
import { addVersion, insertProject, lockProject, type ProjectRecord } from '#storage/projects.ts';
import { getOwnedProject, projectNotFound } from '../projects/find-owned-project.ts';
import type { ProjectParts } from '../projects/project-parts.ts';
import { requireVersion } from '../projects/require-version.ts';
import { authorOf, nameTaken, savedOrRefused } from '../projects/save-project.ts';
import { namesLike } from './free-name.ts';

type LibraryParts = Pick<ProjectParts, 'db' | 'clock' | 'ids' | 'room'>;

const MAX_LISTED = 100;

/** Creates a project with the files of another one, under the next free name. */
export async function duplicateProject(parts: LibraryParts, request: FastifyRequest): Promise<ProjectRecord> {
  const original = await getOwnedProject(parts, request);
  const { accountId } = original;
  await parts.room.require(accountId);
  const first = { ...original, savedBy: authorOf(request), now: parts.clock.now() };
  for (const name of namesLike(original.name, 'copy')) {
    const project = { projectId: parts.ids.uuid(), accountId, name };
    const saved = await parts.db.transaction().execute(async (tx) => {
      const inserted = await insertProject(tx, project, first);
      if (inserted.outcome === 'saved') await writeDueEntry(tx);
      return inserted;
    });
    if (saved.outcome !== 'name-taken') return savedOrRefused(saved, name);
  }
  throw nameTaken(original.name);
}

/** Deletes a project so that it can be restored for a while. */
export async function binProject(parts: LibraryParts, request: FastifyRequest): Promise<DeletedProject> {
  const project = await getOwnedProject(parts, request);
  requireVersion(request, project);
  const now = parts.clock.now();
  const only = request.headers['if-match'] === undefined ? undefined : project.version;
  const hidden = await parts.db.transaction().execute(async (tx) => {
    const done = await hideProject(tx, project, { now, version: only });
    if (done) await writeDueEntry(tx);
    return done;
  });
  if (hidden) return { projectId: project.projectId, name: project.name, deletedAt: now };
  // Another request deleted the project, or saved a version that If-Match does not name.
  requireVersion(request, await getOwnedProject(parts, request));
  throw projectNotFound();
}

export function listBin(parts: LibraryParts, request: FastifyRequest): Promise<DeletedProject[]> {
  const { accountId } = getPrincipal(request);
  return listDeletedProjects(parts.db, accountId, { since: restorableSince(parts), limit: MAX_LISTED });
}

/** Restores a deleted project under its name, or under the next free one. */
export async function restoreProject(parts: LibraryParts, request: FastifyRequest): Promise<ProjectRecord> {
  const { project_id: id } = request.params as { project_id: string };
  const { accountId } = getPrincipal(request);
  if (!isUuid(id)) throw projectNotFound();
  const projectId = id.toLowerCase();
  return withEntry(parts.db, async (tx) => {
    const deleted = await lockDeletedProject(tx, accountId, projectId, restorableSince(parts));
    if (deleted === undefined) throw projectNotFound();
    for (const name of namesLike(deleted.name)) {
      const shown = await showProject(tx, accountId, projectId, name);
      if (shown !== undefined) return shown;
    }
    throw nameTaken(deleted.name);
  });
}

export const restorableUntil = ({ deletedAt }: DeletedProject) =>
  new Date(deletedAt.getTime() + RESTORABLE_MS);
const restorableSince = ({ clock }: LibraryParts) => new Date(clock.now().getTime() - RESTORABLE_MS);

/** Saves the files of an earlier version as the next version. The name stays. */
export async function restoreVersion(parts: LibraryParts, request: FastifyRequest): Promise<ProjectRecord> {
  const { version } = request.params as { version: number };
  const earlier = await getOwnedProject(parts, request, version);
  await parts.room.require(earlier.accountId);
  return withEntry(parts.db, async (tx) => {
    const latest = await lockProject(tx, earlier.accountId, earlier.projectId);
    if (latest === undefined) throw projectNotFound();
    requireVersion(request, latest);
    const next = { ...earlier, savedBy: authorOf(request), now: parts.clock.now() };
    return savedOrRefused(await addVersion(tx, latest, next), latest.name);
  });
}
