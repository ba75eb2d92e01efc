import { z } from 'zod';
import { SLICE_LIMITS } from './batch/payload-slice.ts';
import { collections } from './collections/registry.ts';
import { modeSchema } from './contract.ts';
import type { IngestParts } from './parts.ts';
import { eventTypes } from './webhooks/find-targets.ts';

export const capabilitiesSchema = z
  .object({
    version: z.string(),
    collections: z.array(z.string()),
    modes: z.array(z.string()),
    content_types: z.array(z.string()),
    bulk_async_threshold: z.int(),
    limits: z.object({
      sync_body_bytes: z.int(),
      bulk_body_bytes: z.int(),
      item_bytes: z.int(),
      source_id_characters: z.int(),
      page_size: z.int(),
    }),
    retention: z.object({
      correlation_seconds: z.int(),
      audit_seconds: z.int(),
      job_seconds: z.int(),
    }),
    auto_redrive: z.boolean(),
    validate_only: z.boolean(),
    webhook_events: z.array(z.string()),
  })
  .meta({
    id: 'IngestCapabilities',
    description: 'Collections, modes and limits of this installation',
    examples: [
      {
        version: 'v1',
        collections: ['master/uoms', 'master/skus'],
        modes: ['upsert', 'bulk', 'full-refresh'],
        content_types: ['application/json', 'application/x-ndjson'],
        bulk_async_threshold: 1000,
        limits: {
          sync_body_bytes: 10_485_760,
          bulk_body_bytes: 1_073_741_824,
          item_bytes: 1_048_576,
          source_id_characters: 200,
          page_size: 1000,
        },
        retention: { correlation_seconds: 604_800, audit_seconds: 31_536_000, job_seconds: 2_592_000 },
        auto_redrive: true,
        validate_only: true,
        webhook_events: ['ingest.job.completed'],
      },
    ],
  });

/** `GET /capabilities`. */
export function readCapabilities({ settings }: IngestParts): z.output<typeof capabilitiesSchema> {
  return {
    version: 'v1',
    collections: collections.map(({ path }) => path),
    modes: [...modeSchema.options],
    content_types: ['application/json', 'application/x-ndjson'],
    bulk_async_threshold: settings.bulkAsyncThreshold,
    limits: {
      sync_body_bytes: settings.maxUpsertBytes,
      bulk_body_bytes: settings.maxBulkBytes,
      item_bytes: SLICE_LIMITS.maxRecordBytes,
      source_id_characters: 200,
      page_size: 1000,
    },
    retention: {
      correlation_seconds: settings.correlationWindowSeconds,
      audit_seconds: settings.auditSeconds,
      job_seconds: settings.jobRetentionSeconds,
    },
    auto_redrive: settings.autoRedrive,
    validate_only: true,
    webhook_events: [...eventTypes],
  };
}
