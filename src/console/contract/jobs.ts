import { z } from 'zod';
import { delivery } from './deliveries.ts';
import { listOf, pageOf } from './list.ts';

export const jobState = z.enum(['queued', 'processing', 'completed', 'failed']);
export type JobState = z.infer<typeof jobState>;

/** A job of any surface, as lists and the event stream show it. */
export const job = z.strictObject({
  id: z.string(),
  /** The id that clients of the job's surface see. */
  public_id: z.string(),
  surface: z.string(),
  kind: z.string(),
  account: z.string(),
  state: jobState,
  created_at: z.string(),
  started_at: z.string().nullable(),
  settled_at: z.string().nullable(),
  rows: z.strictObject({
    total: z.number(),
    done: z.number(),
    succeeded: z.number(),
    failed: z.number(),
    /** Rows that succeeded with warnings. Present once the job has settled, if its surface counts them. */
    warned: z.number().optional(),
  }),
  request_key: z.string().nullable(),
  request_id: z.string().nullable(),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  cancelled: z.boolean(),
});
export type Job = z.infer<typeof job>;
export const jobPage = pageOf(job);

export const jobDetail = z.strictObject({
  ...job.shape,
  /** The job whose artifact this one serves again. */
  reused_from: z.string().nullable(),
  slices: z.strictObject({
    total: z.number(),
    open: z.number(),
    running: z.number(),
    done: z.number(),
    dropped: z.number(),
    /** The highest number of attempts that any slice took. */
    max_attempt: z.number(),
  }),
  artifact: z
    .strictObject({
      media_type: z.string(),
      size_bytes: z.number(),
      expires_at: z.string(),
      available: z.boolean(),
      /** Without the base path. Null if the artifact cannot be downloaded. */
      download_path: z.string().nullable(),
    })
    .nullable(),
  inputs: listOf(z.strictObject({ sha256: z.string(), size_bytes: z.number() })),
  /** The files that the job was made from, even if they are deleted. */
  files: listOf(
    z.strictObject({
      kind: z.enum(['pdf', 'package', 'rows', 'pictures', 'other']),
      /** As the client sent it. */
      name: z.string().nullable(),
      size_bytes: z.number().nullable(),
      sha256: z.string().nullable(),
      pages: z.number().nullable(),
      rows: z.number().nullable(),
      is_stored: z.boolean(),
    }),
  ),
  /** A retry of the rows without a result. Null if the job is open, has none, or its surface has no retry. */
  retry: z
    .strictObject({
      /** POST to this path with an Idempotency-Key makes the new job. Without the base path. */
      path: z.string(),
      rows: z.number(),
      /** All rows, because the job failed and delivered none. */
      all: z.boolean(),
      /** False once the inputs are deleted or the server would draw them differently. */
      possible: z.boolean(),
    })
    .nullable(),
  /** Shortened digests of the named parts of the request. */
  body_parts: z.record(z.string(), z.string()).nullable(),
  /** The outcome that the surface stored. */
  outcome: z.unknown(),
  error_details: z.unknown(),
  deliveries: listOf(delivery),
});
export type JobDetail = z.infer<typeof jobDetail>;

export const problemRow = z.strictObject({
  row_number: z.number(),
  status: z.string(),
  code: z.string(),
  message: z.string(),
  /** The overlay, column or item at fault, if known. */
  field: z.string().nullable(),
  /** The column that feeds the overlay, and its label. */
  column: z.string().nullable().optional(),
  column_label: z.string().nullable().optional(),
});
export type ProblemRow = z.infer<typeof problemRow>;
export const problemRowPage = pageOf(problemRow);
export type ProblemRowPage = z.infer<typeof problemRowPage>;
