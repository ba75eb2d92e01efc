import { z } from 'zod';
import { responseHeaders } from '#http/openapi/response-headers.ts';
import { failedJobExample, openJobExample } from './contract.ts';

/** The parts of the OpenAPI document that route schemas cannot express: headers, files and streams. */
const header = (description: string, schema: object, required = false) => ({
  ...schema,
  description,
  ...(required && { required }),
});

export const createHeaders = {
  'Idempotency-Key': header(
    'Identifies the request for 24 hours: a second request with the same key is a replay',
    { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$', examples: ['payroll-2026-11'] },
    true,
  ),
  Prefer: header('`wait=n`: how many seconds to wait for the job, 0 to 60', {
    type: 'string',
    pattern: '^wait=[0-9]+$',
    examples: ['wait=30'],
  }),
};
export const downloadHeaders = {
  Range: header('Byte range to send instead of the whole file', {
    type: 'string',
    examples: ['bytes=0-1023'],
  }),
  'If-Range': header('Apply `Range` only if the file has this ETag', { type: 'string' }),
  'If-Match': header('Fail with 412 unless the file has one of these ETags', { type: 'string' }),
  'If-None-Match': header('Answer with 304 if the file has one of these ETags', { type: 'string' }),
};

const { Location, ETag } = responseHeaders;
const retryAfter = responseHeaders['Retry-After'];
const replayed = { 'Idempotent-Replayed': responseHeaders['Idempotent-Replayed'] };
const named = { 'Content-Disposition': responseHeaders['Content-Disposition'] };
const versioned = { ETag, 'Accept-Ranges': responseHeaders['Accept-Ranges'] };
const ranged = { 'Content-Range': responseHeaders['Content-Range'] };

/** What a create and a retry send. */
export const jobAnswers = {
  documentedStatuses: {
    200: 'The job has settled: it completed, or it failed in webhook mode. A replay sends the job as it is now.',
    202: 'The job was accepted and has not settled yet. Poll `Location`, or watch its events.',
    500: 'The job failed in response mode, with an `error` of the code `FAILED_ROW_THRESHOLD_EXCEEDED`, `OUTPUT_TOO_LARGE`, `EXPORT_CANCELLED` or `EXPORT_FAILED`. Otherwise it is an error of the server:',
  },
  documentedExamples: { 202: openJobExample, 500: failedJobExample },
  documentedResponseHeaders: {
    200: replayed,
    202: { Location, 'Retry-After': retryAfter, ...replayed },
    500: replayed,
  },
};
export const downloadAnswerHeaders = {
  200: { ...versioned, ...named },
  206: { ...versioned, ...named, ...ranged },
  302: { Location },
  304: versioned,
  412: versioned,
  416: { ...versioned, ...ranged },
};
const { 302: _redirect, ...unredirected } = downloadAnswerHeaders;
export const mergedAnswerHeaders = unredirected;
export const namedAnswerHeaders = { 200: named };

const file = (description: string, mediaType: string) => ({
  description,
  content: { [mediaType]: { type: 'string', format: 'binary' } },
});

export const zipAnswers = {
  200: file('The whole ZIP', 'application/zip'),
  206: file('The requested byte range', 'application/zip'),
  302: { description: 'The ZIP is in an object store; follow `Location`' },
  304: { description: 'The ZIP matches `If-None-Match`' },
};

const coded = { code: z.string(), message: z.string() };
const overlayCounts = { applied_overlay_count: z.int(), skipped_overlay_count: z.int() };
const rowResultSchema = z
  .object({
    row_number: z.int(),
    source_row_number: z.int().optional().describe('Row number in the original job; only in a retry'),
    row_numbers: z
      .array(z.int())
      .optional()
      .describe('With group_by: the numbers of the rows of the group; row_number is the number of the group'),
    status: z.enum(['success', 'partial', 'failed']),
    file_name: z.string().nullable(),
    ...overlayCounts,
    warnings: z.array(
      z.object({
        ...coded,
        overlay_id: z.string().nullable(),
        input_row_number: z.int().optional().describe('With group_by: the row that the warning is about'),
      }),
    ),
    error: z.object(coded).nullable(),
    first_page: z
      .int()
      .nullable()
      .optional()
      .describe('With output=merged or both: the first page of the row in merged.pdf, from 1'),
    sha256: z.string().nullable().describe("SHA-256 of the row's PDF"),
  })
  .meta({ id: 'RowResult', description: 'The outcome of one row' });
const manifestSchema = z
  .object({
    version: z.literal(2),
    engine: z.string(),
    rows: z.int().describe('Number of requested rows; with group_by, of groups'),
    input_rows: z.int().optional().describe('With group_by: number of requested rows'),
    timestamp: z.string(),
    source: z.object({ pdf_sha256: z.string(), page_count: z.int(), package_sha256: z.string() }),
    options: z.record(z.string(), z.unknown()),
    summary: z.object({
      produced_rows: z.int(),
      success_rows: z.int(),
      partial_rows: z.int(),
      failed_rows: z.int(),
      ...overlayCounts,
    }),
    warnings: z.array(z.looseObject(coded)).describe('How the PDF differs from the PDF of the layout'),
    merged: z
      .object({ file_name: z.string(), page_count: z.int(), sha256: z.string() })
      .optional()
      .describe('With output=merged or both: the PDF of all rows in the ZIP'),
    columns: z
      .array(z.object({ key: z.string(), label: z.string(), input: z.string().nullable() }))
      .optional()
      .describe('With match_columns=label: the name of the input that filled each column'),
    row_results: z.array(rowResultSchema),
  })
  .meta({
    id: 'ExportManifest',
    description: 'manifest.json: what was requested, and the outcome of every row',
    examples: [
      {
        version: 2,
        engine: 'rowpress-fill/5',
        rows: 1,
        timestamp: '2026-11-17T09:15:02.400Z',
        source: { pdf_sha256: 'a3f5…', page_count: 2, package_sha256: '77c1…' },
        options: { max_failed_row_percent: 0, include_stickers: false, flatten_forms: false },
        summary: {
          produced_rows: 1,
          success_rows: 1,
          partial_rows: 0,
          failed_rows: 0,
          applied_overlay_count: 4,
          skipped_overlay_count: 0,
        },
        warnings: [],
        row_results: [
          {
            row_number: 1,
            status: 'success',
            file_name: '1_Ann_Lee.pdf',
            applied_overlay_count: 4,
            skipped_overlay_count: 0,
            warnings: [],
            error: null,
            sha256: '2c26…',
          },
        ],
      },
    ],
  });
export const manifestAnswers = {
  200: { description: 'manifest.json', content: { 'application/json': manifestSchema } },
};
export const mergedAnswers = {
  200: file('The whole PDF', 'application/pdf'),
  206: file('The requested byte range', 'application/pdf'),
  304: { description: 'The PDF matches `If-None-Match`' },
};
export const rowPdfAnswers = { 200: file('The PDF of the row', 'application/pdf') };
export const rowPngAnswers = { 200: file('The page as a PNG image', 'image/png') };
export const eventAnswers = {
  200: {
    description: '`progress` events, then one `settled` event',
    content: {
      'text/event-stream': {
        type: 'string',
        examples: [
          'event: progress\ndata: {"job_id":"0190a3c4-5d6e-7f80-9123-456789abcdef","status":"processing","rows_total":200,"rows_done":120,"rows_failed":0}\n\n',
        ],
      },
    },
  },
};
