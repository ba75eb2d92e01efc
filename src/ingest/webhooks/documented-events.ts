import { z } from 'zod';
import { webhookEvent } from '#http/openapi/webhook-event.ts';
import { jobSchema } from '../contract.ts';

const event = (type: string, summary: string, data: z.ZodType) =>
  webhookEvent(
    'Ingest',
    summary,
    z.object({
      event_id: z.string().describe('The same on every attempt'),
      type: z.literal(type),
      occurred_at: z.iso.datetime(),
      partner_id: z.string(),
      data,
    }),
  );
const conflict = z.object({
  collection: z.string(),
  correlation_id: z.string(),
  job_id: z.string().nullable(),
  count: z.int(),
  quarantined: z
    .array(
      z.object({
        quarantine_id: z.string(),
        source_id: z.string(),
        source_version: z.int().nullable(),
        reason: z.string(),
      }),
    )
    .describe('The first 100 records'),
});
const { job_id, collection, mode, correlation_id, summary } = jobSchema.shape;
const ended = z.object({ job_id, collection, mode, correlation_id, summary });
const failed = ended.extend({ error: z.object({ code: z.string(), detail: z.string() }) });

const expiring = z.object({
  key_id: z.string(),
  warehouses: z.array(z.string()).nullable(),
  expires_at: z.iso.datetime(),
  within_days: z.int().describe('The threshold that was reached'),
});

/** The events of this surface, for the OpenAPI document. */
export const ingestWebhooks = {
  'master.normalization-conflict': event('master.normalization-conflict', 'Items were quarantined', conflict),
  'ingest.job.completed': event('ingest.job.completed', 'A bulk job completed', ended),
  'ingest.credential.expiring': event(
    'ingest.credential.expiring',
    'A key of the partner expires soon; sent to receivers that name this event',
    expiring,
  ),
  'ingest.job.failed': event('ingest.job.failed', 'A bulk job failed', failed),
};
