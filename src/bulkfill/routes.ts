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
} from './contract.ts';
import { answerWithJob } from './create/answer-with-job.ts';
import { createExport } from './create/create-export.ts';
import { maxCreateBytes } from './create/create-fields.ts';
import type { CreateParts } from './create/create-parts.ts';
import { createBodySchema } from './create/documented-body.ts';
import { createExportRequests, idempotencyKey } from './create/export-requests.ts';
import { refuseDuringCooldown } from './create/refuse-during-cooldown.ts';
import { bulkfillDialect } from './dialect.ts';
import {
  createHeaders,
  eventAnswers,
  manifestAnswers,
  rowPdfAnswers,
  rowPngAnswers,
  zipAnswers,
} from './documented-answers.ts';
import type { BulkfillCode } from './errors.ts';
import type { BulkfillLimit } from './limits.ts';
import { cancelJob } from './read/cancel-job.ts';
import { download } from './read/download.ts';
import { jobEvents } from './read/job-events.ts';
import { manifest } from './read/manifest.ts';
import { problemRows } from './read/problem-rows.ts';
import { listExportJobs, readJob, readKey } from './read/read-job.ts';
import { rowPdf, rowPng } from './read/row-pdf.ts';
import { retryJob } from './retry/retry-job.ts';
import { bulkfillWebhooks } from './webhooks/documented-events.ts';

const JOBS = '/export-jobs';
const JOB = `${JOBS}/:job_id`;

/** The HTTP routes of Bulk Fill. Guards run in the order of the contract: key, rate limit, then cooldowns (creates only). */
export function bulkfillRoutes(parts: CreateParts): RouteGroup {
  return {
    prefix: bulkfillDialect.prefix,
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

      app.post(JOBS, {
        onRequest: creates,
        bodyLimit: maxCreateBytes(parts.settings), // counted field by field while it is read
        schema: {
          operationId: 'createExportJob',
          summary: 'Create an export job',
          tags: ['Bulk Fill'],
          response: { 200: exportJobSchema, 202: exportJobSchema, 500: exportJobSchema },
        },
        config: {
          documentedBody: { 'multipart/form-data': createBodySchema },
          documentedHeaders: createHeaders,
          errors: createErrors,
        },
        handler: async (request, reply) => {
          const created = await createExport(parts, requests, request, clientGone(reply));
          await answerWithJob(parts, request, reply, created, shutdown);
        },
      });
      app.get(JOBS, {
        onRequest: reads,
        schema: {
          operationId: 'listExportJobs',
          summary: 'List export jobs, newest first',
          tags: ['Bulk Fill'],
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
          tags: ['Bulk Fill'],
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
          tags: ['Bulk Fill'],
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
            tags: ['Bulk Fill'],
            params,
          },
          config: { documentedResponses: zipAnswers, errors: downloadErrors[method] },
          handler: async (request, reply) => void (await download(parts, request, reply)),
        });
      app.get(`${JOB}/manifest`, {
        onRequest: guarded('bulkfill.download'),
        schema: {
          operationId: 'getExportManifest',
          summary: 'Read manifest.json alone',
          tags: ['Bulk Fill'],
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
          tags: ['Bulk Fill'],
          params,
          querystring: problemRowsQuerySchema,
          response: { 200: problemRowsSchema },
        },
        config: { errors: ['INVALID_JOB_ID', 'INVALID_FIELD', 'EXPORT_JOB_NOT_FOUND'] },
        handler: (request) => problemRows(parts, request, request.query),
      });
      app.get(`${JOB}/rows/:row.pdf`, {
        onRequest: guarded('bulkfill.download'),
        schema: { operationId: 'getExportRowPdf', summary: 'Read the PDF of one row', tags: ['Bulk Fill'] },
        config: { documentedResponses: rowPdfAnswers, errors: deliveryErrors },
        handler: async (request, reply) => void (await rowPdf(parts, request, reply)),
      });
      app.get(`${JOB}/rows/:row.png`, {
        onRequest: guarded('bulkfill.download'),
        schema: {
          operationId: 'getExportRowPicture',
          summary: 'Read a page of one row as a PNG image',
          tags: ['Bulk Fill'],
          querystring: pictureQuerySchema,
        },
        config: { documentedResponses: rowPngAnswers, errors: deliveryErrors },
        handler: async (request, reply) => void (await rowPng(parts, request, reply)),
      });
      app.post(`${JOB}/retry`, {
        onRequest: creates,
        bodyLimit: MAX_JSON_BYTES,
        schema: {
          operationId: 'retryExportJob',
          summary: 'Retry the failed rows as a new job',
          tags: ['Bulk Fill'],
          params,
          body: retryBodySchema,
          response: { 200: exportJobSchema, 202: exportJobSchema, 500: exportJobSchema },
        },
        config: { documentedHeaders: createHeaders, errors: retryErrors },
        handler: async (request, reply) => void (await retryJob(parts, requests, request, reply, shutdown)),
      });
      app.get(`${JOB}/events`, {
        onRequest: reads,
        schema: {
          operationId: 'watchExportJob',
          summary: 'Stream progress as Server-Sent Events',
          tags: ['Bulk Fill'],
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
          tags: ['Bulk Fill'],
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
  'INVALID_MULTIPART',
  'MISSING_FIELD',
  'UNKNOWN_FIELD',
  'DUPLICATE_FIELD',
  'INVALID_FIELD',
  'ROW_INPUT_CONFLICT',
  'INVALID_ROWS_JSON',
  'INVALID_ASSETS',
  'INVALID_CSV',
  'INVALID_FILENAME_COLUMNS',
  'TOO_MANY_FILENAME_COLUMNS',
  'INVALID_WEBHOOK_URL',
  'EXPORT_QUOTA_EXCEEDED',
  'ROWS_FROM_NOT_ALLOWED',
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
  'REPEATED_FAILED_JOBS_COOLDOWN',
  'HIGH_FAIL_RATIO_COOLDOWN',
] as const satisfies readonly BulkfillCode[];
