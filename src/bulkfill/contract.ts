import { z } from 'zod';

/** The wire shapes of Bulk Fill: the one source of its types, validation, serialisation and OpenAPI. */
const timestamp = z.iso.datetime({ precision: 3 });

export const thresholdDetailsSchema = z.object({
  failure_class: z.literal('threshold_failed'),
  input_row_count: z.int(),
  produced_row_count: z.int(),
  failed_row_count: z.int(),
  failed_row_percent: z.number(),
  max_failed_row_percent: z.int(),
});

export const exportJobSchema = z
  .object({
    job_id: z.uuid(),
    status: z.enum(['queued', 'processing', 'completed', 'failed']),
    created_at: timestamp,
    started_at: timestamp.optional(),
    completed_at: timestamp.optional(),
    result: z
      .object({
        delivery_mode: z.enum(['direct', 'cloud']),
        download_url: z.string().nullable().describe('Relative path; null once the delivery has expired'),
        expires_at: timestamp,
        file_size_bytes: z.int(),
      })
      .optional(),
    error: z
      .object({ code: z.string(), message: z.string(), details: thresholdDetailsSchema.optional() })
      .optional(),
  })
  .meta({ id: 'ExportJob', description: 'Current state of one export job' });
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

export const jobParamsSchema = z.object({ job_id: z.string() });

export const jobListSchema = z
  .object({ data: z.array(exportJobSchema), next_cursor: z.string().nullable() })
  .meta({ id: 'ExportJobList', description: 'Newest first' });

export const listQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(25),
  cursor: z.string().max(200).optional(),
});

export const problemRowsQuerySchema = listQuerySchema.extend({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  status: z.enum(['failed', 'partial', 'noted']).optional(),
});
export type ProblemRowsQuery = z.infer<typeof problemRowsQuerySchema>;
export const problemRowsSchema = z
  .object({
    data: z.array(
      z.object({
        row_number: z.int(),
        status: z
          .enum(['failed', 'partial', 'noted'])
          .describe('noted: the row is a success, but its PDF may not show all of its data'),
        code: z.string(),
        message: z.string(),
        overlay_id: z.string().nullable(),
        field: z.string().nullable().describe('The native form field, if the overlay is a form mapping'),
        column: z.string().nullable(),
        column_label: z.string().nullable(),
      }),
    ),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'ProblemRows', description: 'Problems in row order; a row may have several' });

export const pictureQuerySchema = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  width: z.coerce.number().int().min(16).max(2000).default(800),
});

const patchedRowSchema = z.strictObject({
  row_number: z.int().min(1),
  cells: z.record(z.string().max(200), z.string().nullable()).describe('All cells of the row, by column key'),
});
export const retryBodySchema = z
  .strictObject({
    rows: z
      .array(patchedRowSchema)
      .max(100_000)
      .optional()
      .describe('Rows to use instead of the failed ones'),
    max_failed_row_percent: z.int().min(0).max(100).optional(),
  })
  .nullish()
  .meta({ id: 'RetryExportJob', description: 'Optional changes for the retry' });
export type RetryBody = NonNullable<z.infer<typeof retryBodySchema>>;

export const keyQuerySchema = z.object({ key: z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/) });
export const keyRecordSchema = z
  .object({
    key: z.string(),
    job_id: z.uuid(),
    claimed_at: timestamp,
    expires_at: timestamp,
    status: z.enum(['queued', 'processing', 'completed', 'failed']),
  })
  .meta({ id: 'IdempotencyKey', description: 'The request that used an Idempotency-Key' });
