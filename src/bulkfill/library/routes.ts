import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MAX_SMALL_JSON_BYTES } from '#http/http-settings.ts';
import type { RouteContext } from '#http/route-group.ts';
import type { DeletedProject } from '#storage/deleted-projects.ts';
import type { BulkfillLimit } from '../limits.ts';
import {
  deletedProject,
  deletedProjects,
  draftAnswer,
  draftBody,
  draftQuery,
  presenceBody,
  presenceParams,
  projectPresence,
  savedDraft,
  versionHistory,
} from '../operator-contract.ts';
import { projectListQuerySchema, projectParamsSchema, projectSchema } from '../projects/contract.ts';
import type { ProjectParts } from '../projects/project-parts.ts';
import { listVersions } from '../projects/read-projects.ts';
import { projectView, savedVersionView, versionTag } from '../projects/views.ts';
import { dropDraft, endPresence, readDraft, reportPresence, saveDraft } from './drafts.ts';
import {
  binProject,
  duplicateProject,
  listBin,
  restorableUntil,
  restoreProject,
  restoreVersion,
} from './keep-projects.ts';

const PROJECT = '/projects/:project_id';
/** A layout, and the fonts and pictures of a package as base64. */
const MAX_DRAFT_BYTES = 20_000_000;

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
    const draft = `${PROJECT}/draft`;
    app.get(
      draft,
      { onRequest: reads, schema: { params, response: { 200: draftAnswer } } },
      async (request) => ({
        draft: await readDraft(parts, request),
      }),
    );
    app.put(
      draft,
      {
        onRequest: reads,
        bodyLimit: MAX_DRAFT_BYTES,
        schema: { params, body: draftBody, response: { 200: savedDraft } },
      },
      (request) => saveDraft(parts, request, request.body),
    );
    app.delete(
      draft,
      { onRequest: reads, bodyLimit, schema: { params, querystring: draftQuery } },
      async (request, reply) => {
        await dropDraft(parts, request, request.query);
        return reply.status(204).send();
      },
    );
    app.post(
      `${PROJECT}/presence`,
      {
        onRequest: reads,
        bodyLimit,
        schema: { params, body: presenceBody, response: { 200: projectPresence } },
      },
      (request) => reportPresence(parts, request, request.body),
    );
    app.delete(
      `${PROJECT}/presence/:tab`,
      { onRequest: reads, bodyLimit, schema: { params: presenceParams } },
      async (request, reply) => {
        await endPresence(parts, request);
        return reply.status(204).send();
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
