import { z } from 'zod';
import { webhookEvent } from '#http/openapi/webhook-event.ts';
import { thresholdDetailsSchema } from '../contract.ts';

const timestamp = z.iso.datetime({ precision: 3 });
const common = {
  event_id: z.string().describe('The same on every attempt'),
  occurred_at: timestamp,
  job_id: z.uuid(),
  idempotency_key: z.string(),
  request_id: z.string().describe('Request id of the create that made the job'),
  reused_result: z.boolean(),
};
const completedSchema = z.object({
  event: z.literal('bulkfill.export_job.completed'),
  status: z.literal('completed'),
  ...common,
  delivery_id: z.uuid(),
  download_url: z.string(),
  download_expires_at: timestamp,
});
const failedSchema = z.object({
  event: z.literal('bulkfill.export_job.failed'),
  status: z.literal('failed'),
  ...common,
  error_code: z.string(),
  error_message: z.string(),
  error_details: thresholdDetailsSchema.optional(),
});

/** The events of this surface, for the OpenAPI document. */
export const bulkfillWebhooks = {
  'bulkfill.export_job.completed': webhookEvent('Bulk Fill', 'An export job completed', completedSchema),
  'bulkfill.export_job.failed': webhookEvent('Bulk Fill', 'An export job failed', failedSchema),
};
