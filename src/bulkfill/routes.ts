import type { LimitName } from '../engine/limits/rate-limits.ts';
import { acceptMultipart } from '../http/multipart.ts';
import type { SurfaceSpec } from '../http/surface.ts';
import {
  exportJobSchema,
  jobListSchema,
  jobParamsSchema,
  keyQuerySchema,
  keyRecordSchema,
  listQuerySchema,
} from './contract.ts';
import { answerCreate, refuseDuringCooldown } from './create/answer.ts';
import type { CreateParts } from './create/create-parts.ts';
import { createBodySchema } from './create/documented-body.ts';
import { cancelJob } from './read/cancel-job.ts';
import { download } from './read/download.ts';
import { jobEvents } from './read/job-events.ts';
import { manifest } from './read/manifest.ts';
import { listExportJobs, readJob, readKey } from './read/read-job.ts';
import { rowPdf } from './read/row-pdf.ts';

const JOBS = '/export-jobs';
const JOB = `${JOBS}/:job_id`;

/** Bulk Fill over HTTP. Guards run in the order of the contract: key, rate limit, then (creates) cooldowns. */
export function bulkfillSurface(parts: CreateParts): SurfaceSpec {
  return {
    dialect: 'bulkfill',
    prefix: '/v1/bulkfill',
    plugin: async (app, { guards, shutdown }) => {
      await acceptMultipart(app);
      const key = guards.requireKey('bulkfill');
      const guarded = (limit: LimitName) => [key, guards.rateLimit('bulkfill', limit)];
      const reads = guarded('bulkfill.read');
      const params = jobParamsSchema;

      app.post(JOBS, {
        onRequest: [...guarded('bulkfill.create'), (request) => refuseDuringCooldown(parts, request)],
        schema: {
          summary: 'Create an export job',
          tags: ['Bulk Fill'],
          response: { 200: exportJobSchema, 202: exportJobSchema, 500: exportJobSchema },
        },
        config: { documentedBody: { 'multipart/form-data': createBodySchema }, errors: createErrors },
        handler: async (request, reply) => void (await answerCreate(parts, request, reply, shutdown)),
      });
      app.get(JOBS, {
        onRequest: reads,
        schema: {
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
        schema: {
          summary: 'Cancel an open job, or let go of the files of a settled one',
          tags: ['Bulk Fill'],
          params,
          response: { 200: exportJobSchema },
        },
        config: { errors: ['INVALID_JOB_ID', 'EXPORT_JOB_NOT_FOUND'] },
        handler: (request) => cancelJob(parts, request),
      });
      app.route({
        method: ['GET', 'HEAD'],
        url: `${JOB}/download`,
        onRequest: guarded('bulkfill.download'),
        schema: { summary: 'Download the ZIP, whole or by byte range', tags: ['Bulk Fill'], params },
        config: { errors: deliveryErrors },
        handler: async (request, reply) => void (await download(parts, request, reply)),
      });
      app.get(`${JOB}/manifest`, {
        onRequest: guarded('bulkfill.download'),
        schema: { summary: 'Read manifest.json alone', tags: ['Bulk Fill'], params },
        config: { errors: deliveryErrors },
        handler: async (request, reply) => void (await manifest(parts, request, reply)),
      });
      app.get(`${JOB}/rows/:row.pdf`, {
        onRequest: guarded('bulkfill.download'),
        schema: { summary: 'Read the PDF of one row', tags: ['Bulk Fill'] },
        config: { errors: deliveryErrors },
        handler: async (request, reply) => void (await rowPdf(parts, request, reply)),
      });
      app.get(`${JOB}/events`, {
        onRequest: reads,
        schema: { summary: 'Follow the progress as Server-Sent Events', tags: ['Bulk Fill'], params },
        config: { errors: ['INVALID_JOB_ID', 'EXPORT_JOB_NOT_FOUND'] },
        handler: async (request, reply) => void (await jobEvents(parts, request, reply, shutdown)),
      });
      app.get('/idempotency-keys', {
        onRequest: reads,
        schema: {
          summary: 'See what an Idempotency-Key stands for',
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

const deliveryErrors = ['INVALID_JOB_ID', 'EXPORT_DELIVERY_NOT_FOUND', 'EXPORT_DELIVERY_FAILED'] as const;
const createErrors = [
  'INVALID_IDEMPOTENCY_KEY',
  'INVALID_MULTIPART',
  'MISSING_FIELD',
  'UNKNOWN_FIELD',
  'DUPLICATE_FIELD',
  'INVALID_FIELD',
  'ROW_INPUT_CONFLICT',
  'INVALID_ROWS_JSON',
  'INVALID_CSV',
  'INVALID_FILENAME_COLUMNS',
  'TOO_MANY_FILENAME_COLUMNS',
  'INVALID_WEBHOOK_URL',
  'EXPORT_QUOTA_EXCEEDED',
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
] as const;
