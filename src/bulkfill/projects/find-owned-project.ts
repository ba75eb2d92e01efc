import type { FastifyRequest } from 'fastify';
import { getPrincipal } from '#http/principal.ts';
import { isUuid } from '#lib/ids.ts';
import { findProject, type ProjectRecord } from '#storage/projects.ts';
import { refuse } from '../errors.ts';
import type { BulkfillParts } from '../parts.ts';

/** Finds a version of the caller's project by the id in the path, by default the one in the query or the latest. Ids of other accounts are unknown ids. */
export async function getOwnedProject(
  { db }: Pick<BulkfillParts, 'db'>,
  request: FastifyRequest,
  version = (request.query as { version?: number }).version,
): Promise<ProjectRecord> {
  const { project_id: id } = request.params as { project_id: string };
  const { accountId } = getPrincipal(request);
  const found = isUuid(id) && (await findProject(db, accountId, { id: id.toLowerCase() }, version));
  if (!found) throw projectNotFound(version);
  return found;
}

export const projectNotFound = (version?: number) =>
  refuse(
    'PROJECT_NOT_FOUND',
    version === undefined ? 'Project not found.' : `Project not found, or it has no version ${version}.`,
  );
