import type { FastifyRequest } from 'fastify';
import type { ProjectRecord } from '#storage/projects.ts';
import { refuse } from '../errors.ts';
import { judgePreconditions } from '../read/preconditions.ts';
import { versionTag } from './views.ts';

/** Rejects a change that was made for another version (`If-Match: "3"`). */
export function requireVersion({ headers }: FastifyRequest, latest: ProjectRecord): void {
  const ifMatch = headers['if-match'];
  if (ifMatch === undefined) return;
  if (judgePreconditions({ 'if-match': ifMatch }, versionTag(latest)) === 'met') return;
  throw refuse(
    'PRECONDITION_FAILED',
    `If-Match is ${ifMatch.slice(0, 100)}, but the latest version of the project is ${versionTag(latest)}.`,
  );
}
