import type { FastifyRequest } from 'fastify';
import { requireNeed } from '../access/require-need.ts';
import { rolesWith } from '../access/roles.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Need } from '../contract/access.ts';
import { surfaceOf } from '../job-views.ts';
import { getOperator } from '../session/session-guard.ts';

type Surfaces = Pick<ConsoleParts, 'surfaces'>;

/** Whether the signed-in person can read data other than jobs and projects. */
export const seesData = (request: FastifyRequest): boolean =>
  rolesWith['view-data'].includes(getOperator(request).role);

/** The surfaces whose jobs the signed-in person can see, or undefined if there is no such limit. */
export const seenSurfaces = (request: FastifyRequest, { surfaces }: Surfaces): string[] | undefined =>
  seesData(request) ? undefined : surfaces.filter(({ needs }) => needs.run).map(({ name }) => name);

/** Requires the right for a job of a surface whose jobs `run` does not start, such as an import of subscribers. */
export function requireUnlessRun(
  request: FastifyRequest,
  { surfaces }: Surfaces,
  kind: string,
  need: Need,
): void {
  const surface = surfaces.find(({ name }) => name === surfaceOf(kind));
  if (surface?.needs.run === undefined) requireNeed(request, need);
}
