import { z } from 'zod';
import type { WebhookEvent } from '#http/openapi/webhook-event.ts';
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
const example = {
  event_id: 'evt_0190a3c6',
  occurred_at: '2026-11-17T09:15:02.480Z',
  job_id: '0190a3c4-5d6e-7f80-9123-456789abcdef',
  idempotency_key: 'payroll-2026-11',
  request_id: 'trace-4d0c1a52-6c0e-4f0a-9a53-0f3f0f4f7a11',
  reused_result: false,
};
const completedSchema = z
  .object({
    event: z.literal('bulkfill.export_job.completed'),
    status: z.literal('completed'),
    ...common,
    delivery_id: z.uuid(),
    download_url: z.string(),
    download_expires_at: timestamp,
  })
  .meta({
    id: 'ExportJobCompletedEvent',
    examples: [
      {
        event: 'bulkfill.export_job.completed',
        status: 'completed',
        ...example,
        delivery_id: '0190a3c4-5d6e-7f80-9123-456789abcd00',
        download_url: `/v1/bulkfill/export-jobs/${example.job_id}/download`,
        download_expires_at: '2026-11-17T15:15:02.480Z',
      },
    ],
  });
const failedSchema = z
  .object({
    event: z.literal('bulkfill.export_job.failed'),
    status: z.literal('failed'),
    ...common,
    error_code: z.string(),
    error_message: z.string(),
    error_details: thresholdDetailsSchema.optional(),
  })
  .meta({
    id: 'ExportJobFailedEvent',
    examples: [
      {
        event: 'bulkfill.export_job.failed',
        status: 'failed',
        ...example,
        error_code: 'EXPORT_FAILED',
        error_message: 'The export failed.',
      },
    ],
  });

/** The events of this surface, for the OpenAPI document. */
export const bulkfillWebhooks: Readonly<Record<string, WebhookEvent>> = {
  'bulkfill.export_job.completed': {
    tag: 'Bulk Fill',
    summary: 'An export job completed',
    description: 'Sent to the `webhook_url` of a job in webhook mode, once its ZIP can be downloaded.',
    body: completedSchema,
  },
  'bulkfill.export_job.failed': {
    tag: 'Bulk Fill',
    summary: 'An export job failed',
    description: 'Sent to the `webhook_url` of a job in webhook mode, if the job failed.',
    body: failedSchema,
  },
};
