import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { clientGone } from '#http/client-gone.ts';
import { MAX_SMALL_JSON_BYTES } from '#http/http-settings.ts';
import { readRequestKey } from '#http/idempotency/request-key.ts';
import { sendOnce } from '#http/idempotency/wire-response.ts';
import { getPrincipal } from '#http/principal.ts';
import { idempotencyKey } from '../create/export-requests.ts';
import { refuseDuringCooldown } from '../create/refuse-during-cooldown.ts';
import { downloadHeaders, namedAnswerHeaders } from '../documented-answers.ts';
import type { BulkfillCode } from '../errors.ts';
import type { BulkfillLimit } from '../limits.ts';
import {
  projectListQuerySchema,
  projectListSchema,
  projectParamsSchema,
  projectPictureQuerySchema,
  projectSchema,
  versionQuerySchema,
} from './contract.ts';
import {
  createdAnswerHeaders,
  fileAnswerHeaders,
  ifMatchHeader,
  newProjectBody,
  newProjectHeaders,
  packageAnswers,
  pdfAnswers,
  pictureAnswerHeaders,
  pictureAnswers,
  pictureHeaders,
  projectBody,
  sampleAnswers,
  schemaAnswers,
  taggedAnswerHeaders,
} from './documented-projects.ts';
import { getQueriedVersion } from './find-owned-project.ts';
import { sendPackage, sendPdf, sendPicture, sendRowSchema, sendSample } from './project-files.ts';
import { maxProjectBytes } from './project-form.ts';
import type { ProjectParts } from './project-parts.ts';
import { createProjectRequests, PROJECT_KIND } from './project-requests.ts';
import { listOwnedProjects, listVersions, removeProject } from './read-projects.ts';
import { createProject, updateProject } from './save-project.ts';
import { createdHeaders, projectView, versionTag } from './views.ts';

const PROJECTS = '/projects';
const PROJECT = `${PROJECTS}/:project_id`;
const tags = ['Bulk Fill'];

interface ProjectRouteOptions {
  readonly parts: ProjectParts;
  /** The guards of a route: the key and one of the rate limits. */
  readonly guarded: (limit: BulkfillLimit) => readonly onRequestAsyncHookHandler[];
}

/** The routes of projects. A save has the limit of creates, and a pause of its own after PDFs that cost too much to read. */
export const projectRoutes: FastifyPluginAsyncZod<ProjectRouteOptions> = async (app, { parts, guarded }) => {
  const reads = [...guarded('bulkfill.read')];
  const downloads = [...guarded('bulkfill.download')];
  const saves = [
    ...guarded('bulkfill.create'),
    (request: FastifyRequest) => refuseDuringCooldown(parts, request, PROJECT_KIND),
  ];
  const room = (request: FastifyRequest) => parts.room.require(getPrincipal(request).accountId);
  const requests = createProjectRequests(parts);
  const params = projectParamsSchema;
  const bodyLimit = maxProjectBytes(parts.settings);

  app.post(PROJECTS, {
    // The key is read before the body, so that a request without a valid one costs no upload.
    onRequest: [...saves, async (request) => void readRequestKey(request, idempotencyKey), room],
    bodyLimit,
    schema: {
      operationId: 'createProject',
      summary: 'Create a project',
      description:
        'Keeps a PDF and a package under a name. Jobs can then name the project instead of sending both files. Repeat the request with the same `Idempotency-Key` after a timeout: the first response is sent again.',
      tags,
      response: { 201: projectSchema },
    },
    config: {
      documentedBody: { 'multipart/form-data': newProjectBody },
      documentedHeaders: newProjectHeaders,
      documentedResponseHeaders: createdAnswerHeaders,
      errors: createErrors,
    },
    handler: async (request, reply) => {
      const created = await createProject(parts, requests, request, clientGone(reply));
      await sendOnce(reply.headers(createdHeaders(created.result.body)), created);
    },
  });
  app.get(PROJECTS, {
    onRequest: reads,
    schema: {
      operationId: 'listProjects',
      summary: 'List projects, newest first',
      description: 'Lists the projects of the account with their latest versions.',
      tags,
      querystring: projectListQuerySchema,
      response: { 200: projectListSchema },
    },
    handler: (request) => listOwnedProjects(parts, request, request.query),
  });
  app.get(PROJECT, {
    onRequest: reads,
    schema: {
      operationId: 'getProject',
      summary: 'Read a project, the latest version or another one',
      description: 'Returns the pages and columns of one version. The `ETag` is the number of the version.',
      tags,
      params,
      querystring: versionQuerySchema,
      response: { 200: projectSchema },
    },
    config: {
      documentedResponseHeaders: taggedAnswerHeaders,
      errors: ['INVALID_FIELD', 'PROJECT_NOT_FOUND'],
    },
    handler: async (request, reply) => {
      const project = await getQueriedVersion(parts, request);
      return reply.header('etag', versionTag(project)).send(projectView(project));
    },
  });
  app.put(PROJECT, {
    onRequest: [...saves, room],
    bodyLimit,
    schema: {
      operationId: 'updateProject',
      summary: 'Save the next version of a project',
      description:
        'Saves a version from the parts that are sent; the others are those of the latest version. `If-Match` prevents overwriting a version that was saved in the meantime.',
      tags,
      params,
      response: { 200: projectSchema },
    },
    config: {
      documentedBody: { 'multipart/form-data': projectBody },
      documentedHeaders: ifMatchHeader,
      documentedResponseHeaders: taggedAnswerHeaders,
      errors: updateErrors,
    },
    handler: async (request, reply) => {
      const project = await updateProject(parts, request, clientGone(reply));
      return reply.header('etag', versionTag(project)).send(projectView(project));
    },
  });
  app.delete(PROJECT, {
    onRequest: reads,
    bodyLimit: MAX_SMALL_JSON_BYTES,
    schema: {
      operationId: 'deleteProject',
      summary: 'Delete a project with its versions',
      description: 'Deletes the project with all versions. Accepted jobs keep the files that they use.',
      tags,
      params,
    },
    config: {
      documentedHeaders: ifMatchHeader,
      documentedResponses: { 204: { description: 'The project is deleted' } },
      errors: ['PROJECT_NOT_FOUND', 'PRECONDITION_FAILED'],
    },
    handler: async (request, reply) => {
      await removeProject(parts, request);
      return reply.status(204).send();
    },
  });
  app.get(`${PROJECT}/versions`, {
    onRequest: reads,
    schema: {
      operationId: 'listProjectVersions',
      summary: 'List the versions of a project, the latest first',
      description: 'Lists all versions of the project. Versions are deleted only with their project.',
      tags,
      params,
      querystring: projectListQuerySchema,
      response: { 200: projectListSchema },
    },
    config: { errors: ['INVALID_FIELD', 'PROJECT_NOT_FOUND'] },
    handler: (request) => listVersions(parts, request, request.query, projectView),
  });
  app.get(`${PROJECT}/pdf`, {
    onRequest: downloads,
    schema: {
      operationId: 'getProjectPdf',
      summary: 'Download the source PDF of a project',
      description: 'Sends the PDF as it was uploaded, whole or by byte range.',
      tags,
      params,
      querystring: versionQuerySchema,
    },
    config: {
      documentedHeaders: downloadHeaders,
      documentedResponses: pdfAnswers,
      documentedResponseHeaders: fileAnswerHeaders,
      errors: fileErrors,
    },
    handler: async (request, reply) => void (await sendPdf(parts, request, reply)),
  });
  app.get(`${PROJECT}/package`, {
    onRequest: downloads,
    schema: {
      operationId: 'getProjectPackage',
      summary: 'Download the sealed package of a project',
      description: 'Sends the sealed package, whole or by byte range.',
      tags,
      params,
      querystring: versionQuerySchema,
    },
    config: {
      documentedHeaders: downloadHeaders,
      documentedResponses: packageAnswers,
      documentedResponseHeaders: fileAnswerHeaders,
      errors: fileErrors,
    },
    handler: async (request, reply) => void (await sendPackage(parts, request, reply)),
  });
  app.get(`${PROJECT}/row-schema`, {
    onRequest: reads,
    schema: {
      operationId: 'getProjectRowSchema',
      summary: 'Read the JSON Schema of a row',
      description:
        'Returns a JSON Schema (2020-12) of one row, keyed by the labels of the columns. A row that fits is accepted with `match_columns=label`.',
      tags,
      params,
      querystring: versionQuerySchema,
    },
    config: { documentedResponses: schemaAnswers, errors: layoutErrors },
    handler: async (request, reply) => void (await sendRowSchema(parts, request, reply)),
  });
  app.get(`${PROJECT}/sample.csv`, {
    onRequest: reads,
    schema: {
      operationId: 'getProjectSample',
      summary: 'Read a CSV with the labels and one example row',
      description: 'Returns a file to fill in and to send as `csv_file` with `match_columns=label`.',
      tags,
      params,
      querystring: versionQuerySchema,
    },
    config: {
      documentedResponses: sampleAnswers,
      documentedResponseHeaders: namedAnswerHeaders,
      errors: layoutErrors,
    },
    handler: async (request, reply) => void (await sendSample(parts, request, reply)),
  });
  app.get(`${PROJECT}/page.png`, {
    onRequest: downloads,
    schema: {
      operationId: 'getProjectPicture',
      summary: 'Read a page of the source PDF as a PNG image',
      description: 'Draws one page of the PDF without the fields of the layout.',
      tags,
      params,
      querystring: projectPictureQuerySchema,
    },
    config: {
      documentedHeaders: pictureHeaders,
      documentedResponses: pictureAnswers,
      documentedResponseHeaders: pictureAnswerHeaders,
      errors: ['INVALID_FIELD', 'PROJECT_NOT_FOUND', 'PDF_INVALID'],
    },
    handler: async (request, reply) => void (await sendPicture(parts, request, reply)),
  });
};

const fileErrors = [
  'INVALID_FIELD',
  'PROJECT_NOT_FOUND',
  'PRECONDITION_FAILED',
  'RANGE_NOT_SATISFIABLE',
] as const satisfies readonly BulkfillCode[];
const layoutErrors = [
  'INVALID_FIELD',
  'PROJECT_NOT_FOUND',
  'PACKAGE_UNSUPPORTED',
] as const satisfies readonly BulkfillCode[];
const saveErrors = [
  'INVALID_MULTIPART',
  'MISSING_FIELD',
  'UNKNOWN_FIELD',
  'DUPLICATE_FIELD',
  'INVALID_FIELD',
  'SOURCE_CONFLICT',
  'SEAL_NOT_ALLOWED',
  'PROJECT_NAME_TAKEN',
  'PDF_TOO_LARGE',
  'PACKAGE_TOO_LARGE',
  'PDF_INVALID',
  'PDF_ENCRYPTED',
  'PDF_TOO_MANY_PAGES',
  'PACKAGE_MALFORMED',
  'PACKAGE_TAMPERED',
  'PACKAGE_UNSUPPORTED',
  'PACKAGE_INVALID',
  'REPEATED_FAILED_JOBS_COOLDOWN',
  'HIGH_FAIL_RATIO_COOLDOWN',
] as const satisfies readonly BulkfillCode[];
const createErrors = [
  ...saveErrors,
  'INVALID_IDEMPOTENCY_KEY',
  'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH',
] as const satisfies readonly BulkfillCode[];
const updateErrors = [
  ...saveErrors,
  'PROJECT_NOT_FOUND',
  'PRECONDITION_FAILED',
] as const satisfies readonly BulkfillCode[];
