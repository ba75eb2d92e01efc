import type { FastifyRequest } from 'fastify';
import { clientGone } from '#http/client-gone.ts';
import { MAX_JSON_BYTES, MAX_SMALL_JSON_BYTES } from '#http/http-settings.ts';
import { readRequestKey } from '#http/idempotency/request-key.ts';
import { acceptMultipart } from '#http/multipart.ts';
import { getPrincipal } from '#http/principal.ts';
import type { RouteGroup } from '#http/route-group.ts';
import {
  exportJobSchema,
  jobListSchema,
  jobParamsSchema,
  keyQuerySchema,
  keyRecordSchema,
  listQuerySchema,
  pictureQuerySchema,
  problemRowsQuerySchema,
  problemRowsSchema,
  retryBodySchema,
  rowParamsSchema,
} from './contract.ts';
import { answerWithJob } from './create/answer-with-job.ts';
import { createExport } from './create/create-export.ts';
import { maxCreateBytes } from './create/create-fields.ts';
import { createBodySchema, createJsonSchema } from './create/documented-body.ts';
import { createExportRequests, idempotencyKey } from './create/export-requests.ts';
import { streamJsonBodies } from './create/json-form.ts';
import { refuseDuringCooldown } from './create/refuse-during-cooldown.ts';
import { bulkfillDialect } from './dialect.ts';
import {
  createHeaders,
  downloadAnswerHeaders,
  downloadHeaders,
  eventAnswers,
  jobAnswers,
  manifestAnswers,
  mergedAnswerHeaders,
  mergedAnswers,
  namedAnswerHeaders,
  rowPdfAnswers,
  rowPngAnswers,
  zipAnswers,
} from './documented-answers.ts';
import type { BulkfillCode } from './errors.ts';
import type { BulkfillLimit } from './limits.ts';
import type { ProjectParts } from './projects/project-parts.ts';
import { projectRoutes } from './projects/routes.ts';
import { cancelJob } from './read/cancel-job.ts';
import { download } from './read/download.ts';
import { jobEvents } from './read/job-events.ts';
import { manifest } from './read/manifest.ts';
import { mergedPdf } from './read/merged-pdf.ts';
import { problemRows } from './read/problem-rows.ts';
import { listExportJobs, readJob, readKey } from './read/read-job.ts';
import { rowPdf, rowPng } from './read/row-pdf.ts';
import { sheetListSchema, sheetPresets } from './read/sheets.ts';
import { retryJob } from './retry/retry-job.ts';
import { bulkfillWebhooks } from './webhooks/documented-events.ts';

const TAG = 'Bulk Fill';
const tags = [TAG];
const JOBS = '/export-jobs';
const JOB = `${JOBS}/:job_id`;

/** The HTTP routes of Bulk Fill. Guards run in the order of the contract: key, rate limit, then cooldowns (creates only). */
export function bulkfillRoutes(parts: ProjectParts): RouteGroup {
  return {
    prefix: bulkfillDialect.prefix,
    tags: [
      {
        name: TAG,
        description:
          'Fill a PDF once per row: send a PDF, a sealed layout and rows, and download a ZIP of filled PDFs.',
      },
    ],
    webhooks: bulkfillWebhooks,
    plugin: async (app, { guards, shutdown }) => {
      await acceptMultipart(app);
      const key = guards.requireKey('bulkfill');
      const guarded = (limit: BulkfillLimit) => [key, guards.rateLimit('bulkfill', limit)];
      const reads = guarded('bulkfill.read');
      const creates = [
        ...guarded('bulkfill.create'),
        (request: FastifyRequest) => refuseDuringCooldown(parts, request),
        // Runs before the body is read, so that a request without a valid key costs no upload.
        async (request: FastifyRequest) => void readRequestKey(request, idempotencyKey),
        (request: FastifyRequest) => parts.room.require(getPrincipal(request).accountId),
      ];
      const requests = createExportRequests(parts);
      const params = jobParamsSchema;

      await app.register(projectRoutes, { parts, guarded });
      await app.register(async (scope) => {
        streamJsonBodies(scope);
        scope.post(JOBS, {
          onRequest: creates,
          bodyLimit: maxCreateBytes(parts.settings), // counted field by field while it is read
          schema: {
            operationId: 'createExportJob',
            summary: 'Create an export job',
            description:
              'Starts a job that fills the PDF once per row and waits a short time for it. Send the PDF and the package, or name a project; JSON is for projects. `Idempotency-Key` is required: repeat the same request with the same key after a timeout, and the job is not created twice.',
            tags,
            response: { 200: exportJobSchema, 202: exportJobSchema, 500: exportJobSchema },
          },
          config: {
            documentedBody: { 'multipart/form-data': createBodySchema, 'application/json': createJsonSchema },
            documentedHeaders: createHeaders,
            ...jobAnswers,
            errors: createErrors,
          },
          handler: async (request, reply) => {
            const created = await createExport(parts, requests, request, clientGone(reply));
            await answerWithJob(parts, request, reply, created, shutdown);
          },
        });
      });
      app.get('/sheets', {
        onRequest: reads,
        schema: {
          operationId: 'listSheets',
          summary: 'List the sheets of labels that have a name',
          description:
            'Lists the presets for `sheet` of a create request with their geometry in points. The labels are in the middle of the sheet.',
          tags,
          response: { 200: sheetListSchema },
        },
        handler: () => sheetPresets(),
      });
      app.get(JOBS, {
        onRequest: reads,
        schema: {
          operationId: 'listExportJobs',
          summary: 'List export jobs, newest first',
          description: 'Lists the jobs of the account, open and settled, until their records are deleted.',
          tags,
          querystring: listQuerySchema,
          response: { 200: jobListSchema },
        },
        handler: (request) => listExportJobs(parts, request, request.query),
      });
      app.get(JOB, {
        onRequest: reads,
        schema: {
          operationId: 'getExportJob',
          summary: 'Read one export job',
          description:
            'Returns the current state. A completed job has a `result` with the address of its ZIP.',
          tags,
          params,
          response: { 200: exportJobSchema },
        },
        config: { errors: ['INVALID_JOB_ID', 'EXPORT_JOB_NOT_FOUND'] },
        handler: (request) => readJob(parts, request),
      });
      app.delete(JOB, {
        onRequest: reads,
        bodyLimit: MAX_SMALL_JSON_BYTES,
        schema: {
          operationId: 'cancelExportJob',
          summary: 'Cancel an open job, or delete the files of a settled one',
          description:
            'Cancels an open job, which then fails with `EXPORT_CANCELLED`. For a settled job, it ends the delivery and deletes the files; the record stays.',
          tags,
          params,
          response: { 200: exportJobSchema },
        },
        config: { errors: ['INVALID_JOB_ID', 'EXPORT_JOB_NOT_FOUND'] },
        handler: (request) => cancelJob(parts, request),
      });
      // One route each, because an operation id names one method. HEAD comes first, because GET would otherwise add
      // its own.
      for (const [method, operationId] of [
        ['HEAD', 'measureExport'],
        ['GET', 'downloadExport'],
      ] as const)
        app.route({
          method,
          url: `${JOB}/download`,
          onRequest: guarded('bulkfill.download'),
          schema: {
            operationId,
            summary: 'Download the ZIP, whole or by byte range',
            description:
              'Sends the ZIP with the PDFs and manifest.json until the delivery expires. A broken download can be resumed with `Range` and `If-Range`.',
            tags,
            params,
          },
          config: {
            documentedHeaders: downloadHeaders,
            documentedResponses: zipAnswers,
            documentedResponseHeaders: downloadAnswerHeaders,
            errors: downloadErrors[method],
          },
          handler: async (request, reply) => void (await download(parts, request, reply)),
        });
      for (const [method, operationId] of [
        ['HEAD', 'measureMergedPdf'],
        ['GET', 'downloadMergedPdf'],
      ] as const)
        app.route({
          method,
          url: `${JOB}/merged.pdf`,
          onRequest: guarded('bulkfill.download'),
          schema: {
            operationId,
            summary: 'Download the PDF of all rows, whole or by byte range',
            description:
              'Sends `merged.pdf` of a job with `output` `merged` or `both` without the ZIP, until the delivery expires. The manifest has the first page of each row.',
            tags,
            params,
          },
          config: {
            documentedHeaders: downloadHeaders,
            documentedResponses: mergedAnswers,
            documentedResponseHeaders: mergedAnswerHeaders,
            errors: mergedErrors[method],
          },
          handler: async (request, reply) => void (await mergedPdf(parts, request, reply)),
        });
      app.get(`${JOB}/manifest`, {
        onRequest: guarded('bulkfill.download'),
        schema: {
          operationId: 'getExportManifest',
          summary: 'Read manifest.json alone',
          description:
            'Returns the manifest of the ZIP without downloading it: the options, the totals and the outcome of every row.',
          tags,
          params,
        },
        config: { documentedResponses: manifestAnswers, errors: deliveryErrors },
        handler: async (request, reply) => void (await manifest(parts, request, reply)),
      });
      app.get(`${JOB}/problem-rows`, {
        onRequest: reads,
        schema: {
          operationId: 'listExportProblemRows',
          summary: 'List rows that failed, lost a field or have a note',
          description:
            'Lists the problems of a settled job in row order, so that a client can show which rows to correct.',
          tags,
          params,
          querystring: problemRowsQuerySchema,
          response: { 200: problemRowsSchema },
        },
        config: { errors: ['INVALID_JOB_ID', 'INVALID_FIELD', 'EXPORT_JOB_NOT_FOUND'] },
        handler: (request) => problemRows(parts, request, request.query),
      });
      app.get(`${JOB}/rows/:row.pdf`, {
        onRequest: guarded('bulkfill.download'),
        schema: {
          operationId: 'getExportRowPdf',
          summary: 'Read the PDF of one row',
          description:
            'Returns the same bytes as the file of the row in the ZIP, without downloading the ZIP.',
          tags,
          params: rowParamsSchema,
        },
        config: {
          documentedResponses: rowPdfAnswers,
          documentedResponseHeaders: namedAnswerHeaders,
          errors: deliveryErrors,
        },
        handler: async (request, reply) => void (await rowPdf(parts, request, reply)),
      });
      app.get(`${JOB}/rows/:row.png`, {
        onRequest: guarded('bulkfill.download'),
        schema: {
          operationId: 'getExportRowPicture',
          summary: 'Read a page of one row as a PNG image',
          description: 'Draws one page of the PDF of a row, for previews.',
          tags,
          params: rowParamsSchema,
          querystring: pictureQuerySchema,
        },
        config: {
          documentedResponses: rowPngAnswers,
          documentedResponseHeaders: namedAnswerHeaders,
          errors: deliveryErrors,
        },
        handler: async (request, reply) => void (await rowPng(parts, request, reply)),
      });
      app.post(`${JOB}/retry`, {
        onRequest: creates,
        bodyLimit: MAX_JSON_BYTES,
        schema: {
          operationId: 'retryExportJob',
          summary: 'Retry the failed rows as a new job',
          description:
            'Creates a new job with the rows that failed, with the stored inputs of the original job. `rows` replaces the cells of some of them.',
          tags,
          params,
          body: retryBodySchema,
          response: { 200: exportJobSchema, 202: exportJobSchema, 500: exportJobSchema },
        },
        config: { documentedHeaders: createHeaders, ...jobAnswers, errors: retryErrors },
        handler: async (request, reply) => void (await retryJob(parts, requests, request, reply, shutdown)),
      });
      app.get(`${JOB}/events`, {
        onRequest: reads,
        schema: {
          operationId: 'watchExportJob',
          summary: 'Stream progress as Server-Sent Events',
          description:
            'Sends the current progress at once, then every change, and ends after `settled`. Reconnect after a broken connection; each stream starts with the current state.',
          tags,
          params,
        },
        config: { documentedResponses: eventAnswers, errors: ['INVALID_JOB_ID', 'EXPORT_JOB_NOT_FOUND'] },
        handler: async (request, reply) => void (await jobEvents(parts, request, reply, shutdown)),
      });
      app.get('/idempotency-keys', {
        onRequest: reads,
        schema: {
          operationId: 'getIdempotencyKey',
          summary: 'Find the request that used an Idempotency-Key',
          description:
            'Answers the question whether a create reached the server, for a client that lost the response.',
          tags,
          querystring: keyQuerySchema,
          response: { 200: keyRecordSchema },
        },
        config: { errors: ['EXPORT_JOB_NOT_FOUND'] },
        handler: (request) => readKey(parts, request, request.query.key),
      });
    },
  };
}

const deliveryErrors = [
  'INVALID_JOB_ID',
  'EXPORT_DELIVERY_NOT_FOUND',
  'EXPORT_DELIVERY_FAILED',
] as const satisfies readonly BulkfillCode[];
const headErrors = [...deliveryErrors, 'PRECONDITION_FAILED'] as const;
const downloadErrors = { HEAD: headErrors, GET: [...headErrors, 'RANGE_NOT_SATISFIABLE'] } as const;
const mergedHeadErrors = [
  'INVALID_JOB_ID',
  'EXPORT_DELIVERY_NOT_FOUND',
  'PRECONDITION_FAILED',
] as const satisfies readonly BulkfillCode[];
const mergedErrors = { HEAD: mergedHeadErrors, GET: [...mergedHeadErrors, 'RANGE_NOT_SATISFIABLE'] } as const;
const retryErrors = [
  'INVALID_IDEMPOTENCY_KEY',
  'INVALID_FIELD',
  'INVALID_JOB_ID',
  'EXPORT_QUOTA_EXCEEDED',
  'EXPORT_JOB_NOT_FOUND',
  'EXPORT_INPUT_GONE',
  'EXPORT_JOB_OPEN',
  'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH',
  'NO_ROWS',
  'REPEATED_FAILED_JOBS_COOLDOWN',
  'HIGH_FAIL_RATIO_COOLDOWN',
] as const satisfies readonly BulkfillCode[];
const createErrors = [
  'INVALID_IDEMPOTENCY_KEY',
  'INVALID_JSON',
  'INVALID_MULTIPART',
  'MISSING_FIELD',
  'UNKNOWN_FIELD',
  'DUPLICATE_FIELD',
  'INVALID_FIELD',
  'SOURCE_CONFLICT',
  'ROW_INPUT_CONFLICT',
  'INVALID_ROWS_JSON',
  'INVALID_ASSETS',
  'INVALID_CSV',
  'INVALID_FILENAME_COLUMNS',
  'TOO_MANY_FILENAME_COLUMNS',
  'INVALID_WEBHOOK_URL',
  'EXPORT_QUOTA_EXCEEDED',
  'ROWS_FROM_NOT_ALLOWED',
  'PROJECT_NOT_FOUND',
  'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH',
  'PDF_TOO_LARGE',
  'PACKAGE_TOO_LARGE',
  'ROWS_TOO_LARGE',
  'OUTPUT_TOO_LARGE',
  'PDF_INVALID',
  'PDF_ENCRYPTED',
  'PDF_TOO_MANY_PAGES',
  'PACKAGE_MALFORMED',
  'PACKAGE_TAMPERED',
  'PACKAGE_UNSUPPORTED',
  'PACKAGE_INVALID',
  'NO_ROWS',
  'TOO_MANY_ROWS',
  'TOO_MANY_COLUMNS',
  'GROUP_TOO_LARGE',
  'COLUMNS_MISSING',
  'COLUMNS_AMBIGUOUS',
  'REPEATED_FAILED_JOBS_COOLDOWN',
  'HIGH_FAIL_RATIO_COOLDOWN',
] as const satisfies readonly BulkfillCode[];
