import { z } from 'zod';

/** The wire shapes of Bulk Fill: the one source of its types, validation, serialisation and OpenAPI. */
const timestamp = z.iso.datetime({ precision: 3 });
const jobStatus = z
  .enum(['queued', 'processing', 'completed', 'failed'])
  .meta({ id: 'ExportJobStatus', description: 'completed and failed are final' });

const JOB_ID = '0190a3c4-5d6e-7f80-9123-456789abcdef';
const created = { job_id: JOB_ID, created_at: '2026-11-17T09:15:00.000Z' };
/** Jobs of each kind, for the OpenAPI document. */
export const openJobExample = { ...created, status: 'queued' };
export const failedJobExample = {
  ...created,
  status: 'failed',
  started_at: '2026-11-17T09:15:00.120Z',
  completed_at: '2026-11-17T09:15:01.870Z',
  error: {
    code: 'FAILED_ROW_THRESHOLD_EXCEEDED',
    message: '3 of 20 rows failed, which is more than 10 percent.',
    details: {
      failure_class: 'threshold_failed',
      input_row_count: 20,
      produced_row_count: 17,
      failed_row_count: 3,
      failed_row_percent: 15,
      max_failed_row_percent: 10,
    },
  },
};
const jobExample = {
  ...created,
  status: 'completed',
  started_at: '2026-11-17T09:15:00.120Z',
  completed_at: '2026-11-17T09:15:02.480Z',
  result: {
    delivery_mode: 'direct',
    download_url: `/v1/bulkfill/export-jobs/${JOB_ID}/download`,
    expires_at: '2026-11-17T15:15:02.480Z',
    file_size_bytes: 184320,
  },
};

export const thresholdDetailsSchema = z
  .object({
    failure_class: z.literal('threshold_failed'),
    input_row_count: z.int(),
    produced_row_count: z.int(),
    failed_row_count: z.int(),
    failed_row_percent: z.number(),
    max_failed_row_percent: z.int(),
  })
  .meta({
    id: 'ThresholdDetails',
    description: 'Why a job failed: more rows failed than the request allows',
  });

const resultSchema = z
  .object({
    delivery_mode: z
      .enum(['direct', 'cloud'])
      .describe('direct: this server sends the ZIP; cloud: the download redirects to an object store'),
    download_url: z.string().nullable().describe('Relative path; null once the delivery has expired'),
    expires_at: timestamp,
    file_size_bytes: z.int(),
  })
  .meta({ id: 'ExportJobResult', description: 'Where to download the ZIP of a completed job' });

export const exportJobSchema = z
  .object({
    job_id: z.uuid(),
    status: jobStatus,
    created_at: timestamp,
    started_at: timestamp.optional(),
    completed_at: timestamp.optional(),
    result: resultSchema.optional(),
    error: z
      .object({ code: z.string(), message: z.string(), details: thresholdDetailsSchema.optional() })
      .meta({ id: 'ExportJobError', description: 'Why a job failed' })
      .optional(),
  })
  .meta({ id: 'ExportJob', description: 'Current state of one export job', examples: [jobExample] });
export type ExportJob = z.infer<typeof exportJobSchema>;

/** The data of a `progress` or `settled` event. */
export const progressEventSchema = z.object({
  job_id: z.uuid(),
  status: z.enum(['queued', 'processing', 'completed', 'failed']),
  rows_total: z.int(),
  rows_done: z.int(),
  rows_failed: z.int(),
});
export type ProgressEvent = z.infer<typeof progressEventSchema>;

export const jobParamsSchema = z.object({
  job_id: z.string().meta({ description: 'Id of the export job, a UUID', examples: [JOB_ID] }),
});
export const rowParamsSchema = jobParamsSchema.extend({
  row: z.string().meta({ description: 'Number of the row, from 1', examples: ['1'] }),
});

const next_cursor = z.string().nullable().describe('`cursor` of the next page; null on the last page');

export const jobListSchema = z.object({ data: z.array(exportJobSchema), next_cursor }).meta({
  id: 'ExportJobList',
  description: 'One page of export jobs, newest first',
  examples: [{ data: [jobExample], next_cursor: null }],
});

const cursor = z.string().max(200).optional().describe('`next_cursor` of the previous page');
export const listQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(25).describe('Largest number of results'),
  cursor,
});

export const problemRowsQuerySchema = listQuerySchema.extend({
  limit: z.coerce.number().int().min(1).max(1000).default(100).describe('Largest number of results'),
  status: z.enum(['failed', 'partial', 'noted']).optional().describe('Only problems of this kind'),
});
export type ProblemRowsQuery = z.infer<typeof problemRowsQuerySchema>;

const problemRowSchema = z
  .object({
    row_number: z.int(),
    input_row_number: z
      .int()
      .optional()
      .describe('With group_by: the row at which the problem is, or the first row of the group'),
    status: z
      .enum(['failed', 'partial', 'noted'])
      .describe('noted: the row is a success, but its PDF may not show all of its data'),
    code: z.string(),
    message: z.string(),
    overlay_id: z.string().nullable(),
    field: z.string().nullable().describe('The native form field, if the overlay is a form mapping'),
    column: z.string().nullable(),
    column_label: z.string().nullable(),
  })
  .meta({ id: 'ProblemRow', description: 'One problem of one row' });
export const problemRowsSchema = z.object({ data: z.array(problemRowSchema), next_cursor }).meta({
  id: 'ProblemRows',
  description: 'One page of problems in row order; a row may have several',
  examples: [
    {
      data: [
        {
          row_number: 7,
          status: 'partial',
          code: 'VALUE_FORMAT_UNREAD',
          message: 'The value "31.02.2026" could not be read as a date.',
          overlay_id: 'date-1',
          field: null,
          column: 'column_2',
          column_label: 'Start date',
        },
      ],
      next_cursor: null,
    },
  ],
});

export const pictureQuerySchema = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1).describe('Number of the page, from 1'),
  width: z.coerce.number().int().min(16).max(2000).default(800).describe('Width of the image in pixels'),
});

const patchedRowSchema = z
  .strictObject({
    row_number: z
      .int()
      .min(1)
      .describe('A failed row of the original job. With `group_by`, any row of a failed group.'),
    cells: z
      .record(z.string().max(200), z.string().nullable())
      .describe('All cells of the row, by column key'),
  })
  .meta({ id: 'PatchedRow', description: 'A row to use instead of a failed one' });
export const retryBodySchema = z
  .strictObject({
    rows: z
      .array(patchedRowSchema)
      .max(100_000)
      .optional()
      .describe('Rows to use instead of the failed ones'),
    max_failed_row_percent: z.int().min(0).max(100).optional().describe('Absent: as in the original job'),
  })
  .meta({
    id: 'RetryExportJob',
    description: 'Optional changes for the retry',
    examples: [{ rows: [{ row_number: 7, cells: { column_0: 'Ann Lee', column_2: '2026-03-01' } }] }],
  })
  .nullish();
export type RetryBody = NonNullable<z.infer<typeof retryBodySchema>>;

const KEY = 'payroll-2026-11';
export const keyQuerySchema = z.object({
  key: z
    .string()
    .regex(/^[A-Za-z0-9._:-]{1,128}$/)
    .meta({ description: 'The Idempotency-Key of a create or retry', examples: [KEY] }),
});
export const keyRecordSchema = z
  .object({
    key: z.string(),
    job_id: z.uuid(),
    claimed_at: timestamp,
    expires_at: timestamp.describe('A later request with this key creates a new job'),
    status: jobStatus,
  })
  .meta({
    id: 'IdempotencyKey',
    description: 'The request that used an Idempotency-Key',
    examples: [
      {
        key: KEY,
        job_id: JOB_ID,
        claimed_at: '2026-11-17T09:15:00.000Z',
        expires_at: '2026-11-18T09:15:00.000Z',
        status: 'completed',
      },
    ],
  });
