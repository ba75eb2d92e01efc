import { z } from 'zod';
import { thresholdDetailsSchema } from './contract.ts';

/** What the OpenAPI document says of Bulk Fill where no schema of a route can: headers, files, streams, webhooks. */
const header = (description: string, schema: object, required = false) => ({
  ...schema,
  description,
  ...(required && { required }),
});

export const createHeaders = {
  'Idempotency-Key': header(
    'Makes two requests the same one, for 24 hours',
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
  206: file('The bytes of the `Range` asked for', 'application/zip'),
  302: { description: 'The ZIP lies in an object store, at `Location`' },
  304: { description: 'The ZIP is the one that `If-None-Match` names' },
};
export const manifestAnswers = { 200: file('manifest.json', 'application/json') };
export const rowPdfAnswers = { 200: file('The PDF of the row', 'application/pdf') };
export const rowPngAnswers = { 200: file('The page as a picture', 'image/png') };
export const eventAnswers = {
  200: {
    description: 'Events `progress`, and at the end `settled`',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  },
};

const timestamp = z.iso.datetime({ precision: 3 });
const told = {
  event_id: z.string().describe('The same on every attempt'),
  occurred_at: timestamp,
  job_id: z.uuid(),
  idempotency_key: z.string(),
  request_id: z.string().describe('Of the create that made the job'),
  reused_result: z.boolean(),
};
const completedSchema = z.object({
  event: z.literal('bulkfill.export_job.completed'),
  status: z.literal('completed'),
  ...told,
  delivery_id: z.uuid(),
  download_url: z.string(),
  download_expires_at: timestamp,
});
const failedSchema = z.object({
  event: z.literal('bulkfill.export_job.failed'),
  status: z.literal('failed'),
  ...told,
  error_code: z.string(),
  error_message: z.string(),
  error_details: thresholdDetailsSchema.optional(),
});

const event = (summary: string, schema: z.ZodType) => ({
  post: {
    summary,
    tags: ['Bulk Fill'],
    description: 'Any 2xx within 10 seconds ends the delivery; anything else is tried again.',
    requestBody: {
      required: true,
      content: { 'application/json': { schema: z.toJSONSchema(schema, { target: 'draft-2020-12' }) } },
    },
    responses: { '2XX': { description: 'Heard; it is not sent again' } },
  },
});

export const exportWebhooks = {
  'bulkfill.export_job.completed': event('An export job completed', completedSchema),
  'bulkfill.export_job.failed': event('An export job failed', failedSchema),
};
