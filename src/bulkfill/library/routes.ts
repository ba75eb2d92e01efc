import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MAX_SMALL_JSON_BYTES } from '#http/http-settings.ts';
import type { RouteContext } from '#http/route-group.ts';
import type { DeletedProject } from '#storage/deleted-projects.ts';
import type { BulkfillLimit } from '../limits.ts';
import { deletedProject, deletedProjects, versionHistory } from '../operator-contract.ts';
import { projectListQuerySchema, projectParamsSchema, projectSchema } from '../projects/contract.ts';
import type { ProjectParts } from '../projects/project-parts.ts';
import { listVersions } from '../projects/read-projects.ts';
import { projectView, savedVersionView, versionTag } from '../projects/views.ts';
import {
  binProject,
  duplicateProject,
  listBin,
  restorableUntil,
  restoreProject,
  restoreVersion,
} from './keep-projects.ts';

const PROJECT = '/projects/:project_id';

/**
 * Routes of the editor's library for operators who act for an account: what the public routes of projects lack. Everything else
 * (list, create, save, rename, files) is the public routes.
 */
export function libraryRoutes(parts: ProjectParts): FastifyPluginAsyncZod<RouteContext> {
  return async (app, { guards }) => {
    const limited = (limit: BulkfillLimit) => [guards.rateLimit('bulkfill', limit)];
    const reads = limited('bulkfill.read');
    const params = projectParamsSchema;
    const bodyLimit = MAX_SMALL_JSON_BYTES;

    app.post(
      `${PROJECT}/duplicate`,
      {
        onRequest: limited('bulkfill.create'),
        bodyLimit,
        schema: { params, response: { 201: projectSchema } },
      },
      async (request, reply) => reply.status(201).send(projectView(await duplicateProject(parts, request))),
    );
    app.post(
      `${PROJECT}/bin`,
      { onRequest: reads, bodyLimit, schema: { params, response: { 200: deletedProject } } },
      async (request) => deletedView(await binProject(parts, request)),
    );
    app.get(
      '/deleted-projects',
      { onRequest: reads, schema: { response: { 200: deletedProjects } } },
      async (request) => ({ data: (await listBin(parts, request)).map(deletedView) }),
    );
    app.post(
      `${PROJECT}/restore`,
      { onRequest: reads, bodyLimit, schema: { params, response: { 200: projectSchema } } },
      async (request) => projectView(await restoreProject(parts, request)),
    );
    app.get(
      `${PROJECT}/history`,
      {
        onRequest: reads,
        schema: { params, querystring: projectListQuerySchema, response: { 200: versionHistory } },
      },
      (request) => listVersions(parts, request, request.query, savedVersionView),
    );
    app.post(
      `${PROJECT}/versions/:version/restore`,
      {
        onRequest: limited('bulkfill.create'),
        bodyLimit,
        schema: { params: versionParams, response: { 200: projectSchema } },
      },
      async (request, reply) => {
        const project = await restoreVersion(parts, request);
        return reply.header('etag', versionTag(project)).send(projectView(project));
      },
    );
  };
}

const versionParams = projectParamsSchema.extend({
  version: z.coerce.number().int().min(1).max(2_147_483_647),
});

const deletedView = (project: DeletedProject) => ({
  project_id: project.projectId,
  name: project.name,
  deleted_at: project.deletedAt.toISOString(),
  restorable_until: restorableUntil(project).toISOString(),
});
