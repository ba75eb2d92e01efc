import { z } from 'zod';
import type { WebhookEvent } from '#http/openapi/webhook-event.ts';
import { jobSchema } from '../contract.ts';

const event = (
  id: string,
  type: string,
  summary: string,
  data: z.ZodType,
  example: object,
): WebhookEvent => ({
  tag: 'Ingest',
  summary,
  body: z
    .object({
      event_id: z.string().describe('The same on every attempt'),
      type: z.literal(type),
      occurred_at: z.iso.datetime(),
      partner_id: z.string(),
      data,
    })
    .meta({
      id,
      examples: [
        {
          event_id: 'evt_01JCV4X5Y6Z7A8B9C0D1E2F3G4',
          type,
          occurred_at: '2026-11-17T09:15:09.000Z',
          partner_id: 'acme',
          data: example,
        },
      ],
    }),
});
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

const CORRELATION = '0190a000-0000-7000-8000-000000000001';
const endedExample = {
  job_id: 'job-01JCV4X5Y6Z7A8B9C0D1E2F3G4',
  collection: 'master/skus',
  mode: 'bulk',
  correlation_id: CORRELATION,
  summary: { accepted: 19_990, replay: 0, quarantined: 10, rejected: 0 },
};

/** The events of this surface, for the OpenAPI document. */
export const ingestWebhooks: Readonly<Record<string, WebhookEvent>> = {
  'master.normalization-conflict': event(
    'NormalizationConflictEvent',
    'master.normalization-conflict',
    'Items were quarantined',
    conflict,
    {
      collection: 'master/skus',
      correlation_id: CORRELATION,
      job_id: null,
      count: 1,
      quarantined: [
        {
          quarantine_id: 'qn-01JCV4X5Y6Z7A8B9C0D1E2F3G4',
          source_id: 'SKU-4712',
          source_version: 1,
          reason: 'base_uom: master/uoms has no item LTR',
        },
      ],
    },
  ),
  'ingest.job.completed': event(
    'IngestJobCompletedEvent',
    'ingest.job.completed',
    'A bulk job completed',
    ended,
    endedExample,
  ),
  'ingest.credential.expiring': event(
    'CredentialExpiringEvent',
    'ingest.credential.expiring',
    'A key of the partner expires soon; sent to receivers that name this event',
    expiring,
    { key_id: 'key_7f3a', warehouses: null, expires_at: '2026-12-01T00:00:00.000Z', within_days: 14 },
  ),
  'ingest.job.failed': event('IngestJobFailedEvent', 'ingest.job.failed', 'A bulk job failed', failed, {
    ...endedExample,
    error: { code: 'internal-error', detail: 'The job failed.' },
  }),
};
