import type { FastifyRequest } from 'fastify';
import { getPrincipal } from '#http/principal.ts';
import { isUuid } from '#lib/ids.ts';
import { findProject, type ProjectRecord } from '#storage/projects.ts';
import { refuse } from '../errors.ts';
import type { BulkfillParts } from '../parts.ts';

/** Finds a version of the caller's project by the id in the path, by default the latest. Ids of other accounts are unknown ids. */
export async function getOwnedProject(
  { db }: Pick<BulkfillParts, 'db'>,
  request: FastifyRequest,
  version?: number,
): Promise<ProjectRecord> {
  const { project_id: id } = request.params as { project_id: string };
  const { accountId } = getPrincipal(request);
  const found = isUuid(id) && (await findProject(db, accountId, { id: id.toLowerCase() }, version));
  if (!found) throw projectNotFound(version);
  return found;
}

/** Finds the version of the caller's project that the query names, for routes with that query. */
export function getQueriedVersion(
  parts: Pick<BulkfillParts, 'db'>,
  request: FastifyRequest,
): Promise<ProjectRecord> {
  return getOwnedProject(parts, request, (request.query as { version?: number }).version);
}

export const projectNotFound = (version?: number) =>
  refuse(
    'PROJECT_NOT_FOUND',
    version === undefined ? 'Project not found.' : `Project not found, or it has no version ${version}.`,
  );
