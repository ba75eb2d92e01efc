import { z } from 'zod';

/** The parts of the OpenAPI document that route schemas cannot express: headers, files and streams. */
const header = (description: string, schema: object, required = false) => ({
  ...schema,
  description,
  ...(required && { required }),
});

export const createHeaders = {
  'Idempotency-Key': header(
    'Identifies the request for 24 hours: a second request with the same key is a replay',
    { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' },
    true,
  ),
  Prefer: header('`wait=n`: how many seconds to wait for the job, 0 to 60', {
    type: 'string',
    pattern: '^wait=[0-9]+$',
  }),
};

const file = (description: string, mediaType: string) => ({
  description,
  content: { [mediaType]: { schema: { type: 'string', format: 'binary' } } },
});

export const zipAnswers = {
  200: file('The whole ZIP', 'application/zip'),
  206: file('The requested byte range', 'application/zip'),
  302: {
    description: 'The ZIP is in an object store; follow `Location`',
    type: 'null',
    headers: { Location: { type: 'string', format: 'uri' } },
  },
  304: { description: 'The ZIP matches `If-None-Match`', type: 'null' },
};

const coded = { code: z.string(), message: z.string() };
const overlayCounts = { applied_overlay_count: z.int(), skipped_overlay_count: z.int() };
const manifestSchema = z.object({
  version: z.literal(2),
  engine: z.string(),
  rows: z.int().describe('Number of requested rows'),
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
  row_results: z.array(
    z.object({
      row_number: z.int(),
      source_row_number: z.int().optional().describe('Row number in the original job; only in a retry'),
      status: z.enum(['success', 'partial', 'failed']),
      file_name: z.string().nullable(),
      ...overlayCounts,
      warnings: z.array(z.object({ ...coded, overlay_id: z.string().nullable() })),
      error: z.object(coded).nullable(),
      sha256: z.string().nullable().describe("SHA-256 of the row's PDF"),
    }),
  ),
});
export const manifestAnswers = {
  200: {
    description: 'manifest.json',
    content: { 'application/json': { schema: z.toJSONSchema(manifestSchema, { target: 'draft-2020-12' }) } },
  },
};
export const rowPdfAnswers = { 200: file('The PDF of the row', 'application/pdf') };
export const rowPngAnswers = { 200: file('The page as a PNG image', 'image/png') };
export const eventAnswers = {
  200: {
    description: '`progress` events, then one `settled` event',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  },
};
