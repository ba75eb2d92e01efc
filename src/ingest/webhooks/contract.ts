import { z } from 'zod';
import { AT, idParams, time, ULID } from '../contract.ts';
import { eventTypes } from './find-targets.ts';

/** The wire schemas of webhooks. */
export const webhookParams = idParams('Id of the webhook', 'wh-01JCV4X5Y6Z7A8B9C0D1E2F3G4');
const WEBHOOK_URL = 'https://hooks.example.com/ingest';
export const webhookBody = z
  .strictObject({
    url: z.string().min(1).max(2048).describe('Public https address of the receiver'),
    events: z
      .array(z.enum(eventTypes))
      .min(1)
      .optional()
      .describe('Absent: every event except ingest.credential.expiring'),
  })
  .meta({
    id: 'CreateIngestWebhook',
    examples: [{ url: WEBHOOK_URL, events: ['ingest.job.completed', 'ingest.job.failed'] }],
  });
export const webhookSchema = z
  .object({
    webhook_id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    old_secret_valid_until: time.nullable(),
    created_at: time,
  })
  .meta({
    id: 'IngestWebhook',
    description: 'A receiver of events',
    examples: [
      {
        webhook_id: `wh-${ULID}`,
        url: WEBHOOK_URL,
        events: ['ingest.job.completed', 'ingest.job.failed'],
        old_secret_valid_until: null,
        created_at: AT,
      },
    ],
  });
export const webhookListSchema = z.object({ data: z.array(webhookSchema), next_cursor: z.null() }).meta({
  id: 'IngestWebhooks',
  description: 'All webhooks of the partner',
  examples: [{ data: [], next_cursor: null }],
});
export const secretSchema = z.object({ webhook_id: z.string(), secret: z.string() }).meta({
  id: 'IngestWebhookSecret',
  description: 'The secret that signs the events of a webhook',
  examples: [{ webhook_id: `wh-${ULID}`, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' }],
});
