import { z } from 'zod';

/**
 * The wire schemas of Ingest. Bodies with items are not described here: they are read as a stream, and the schema of the
 * collection (`collections/`) validates each item.
 */
export const collectionParams = z.object({
  group: z.string().describe('master, documents or inventory'),
  name: z.string().describe('Name after the group in `GET /capabilities`, such as skus'),
});
export const itemParams = collectionParams.extend({ source_id: z.string() });

export const modeSchema = z.enum(['upsert', 'bulk', 'full-refresh']);
export const writeQuery = z.object({
  mode: modeSchema.default('upsert'),
  confirm: z.literal('empty').optional(),
  validate_only: z.enum(['true', 'false']).default('false'),
});

/**
 * The query of writes, for the document only. It rejects nothing, because a replay does not depend on it; `readOrder` and
 * `requireCorrelationId` validate it once the request is known to be new.
 */
const toldAs = (description: string) => z.unknown().optional().meta({ type: 'string', description });
export const documentedWriteQuery = z.looseObject({
  mode: toldAs('upsert (default), bulk or full-refresh'),
  confirm: toldAs('empty: confirms an empty full-refresh'),
  validate_only: toldAs('true: return the results without storing anything'),
});
export const documentedRedriveQuery = z.looseObject({
  collection: toldAs('Only records of this collection, such as master/skus'),
});
export const documentedReadHeaders = {
  'X-Warehouse-Id': { type: 'string', description: 'Absent: partner-wide' },
};
export const documentedWriteHeaders = {
  'X-Correlation-Id': { type: 'string', description: 'UUID of version 4 or 7, or ULID', required: true },
  ...documentedReadHeaders,
};

const cursor = z.string().min(1).max(200).optional();
const limit = z.coerce.number().int().min(1).max(1000).default(100);
export const pageQuery = z.object({ cursor, limit });
export const quarantineStatus = z.enum(['OPEN', 'RELEASED', 'DISCARDED', 'ACCEPTED', 'SUPERSEDED']);
export const quarantineQuery = pageQuery.extend({
  collection: z.string().max(100).optional(),
  status: quarantineStatus.optional(),
});
export const resultsQuery = pageQuery.extend({ format: z.enum(['json', 'ndjson']).optional() });
export const redriveQuery = z.object({ collection: z.string().max(100).optional() });

const summarySchema = z.object({
  accepted: z.int(),
  replay: z.int(),
  quarantined: z.int(),
  rejected: z.int(),
});
const resultSchema = z.object({
  source_id: z.string().nullable(),
  status: z.enum(['ACCEPTED', 'REPLAY', 'QUARANTINED', 'REJECTED']),
  internal_id: z.string().optional(),
  quarantine_id: z.string().optional(),
  reason: z.string().optional(),
});
export const writtenSchema = z.object({
  results: z.array(resultSchema),
  summary: summarySchema,
  tombstoned: z.int().optional(),
  validate_only: z.literal(true).optional(),
});
export const acceptedSchema = z.object({
  job_id: z.string(),
  status_url: z.string(),
  accepted_items: z.int(),
});

const time = z.iso.datetime();
export const jobSchema = z.object({
  job_id: z.string(),
  status: z.enum(['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED']),
  collection: z.string(),
  mode: modeSchema,
  correlation_id: z.string(),
  summary: summarySchema,
  tombstoned: z.int().nullable(),
  progress: z.object({ processed: z.int(), total: z.int().nullable() }),
  created_at: time,
  started_at: time.nullable(),
  completed_at: time.nullable(),
  results_url: z.string(),
  error: z.object({ code: z.string(), detail: z.string() }).nullable(),
});
export const resultsSchema = z.object({ data: z.array(resultSchema), next_cursor: z.string().nullable() });

const json = z.record(z.string(), z.unknown());
export const itemSchema = z.object({
  source_id: z.string(),
  internal_id: z.string(),
  source_version: z.int().nullable(),
  state: z.enum(['ACTIVE', 'INACTIVE']),
  item: json,
  updated_at: time,
});
export type Item = z.infer<typeof itemSchema>;
export const historySchema = z.object({
  data: z.array(
    z.object({
      change: z.enum(['CREATED', 'UPDATED', 'TOMBSTONED', 'REACTIVATED']),
      number: z.int(),
      correlation_id: z.string(),
      warehouse_id: z.string().nullable(),
      source_version: z.int().nullable(),
      state: z.enum(['ACTIVE', 'INACTIVE']),
      changed_at: time,
      before: json.nullable(),
      after: json.nullable(),
      archived: z.boolean(),
    }),
  ),
  next_cursor: z.string().nullable(),
});
export type History = z.infer<typeof historySchema>;
export const mappingSchema = z.object({
  collection: z.string(),
  source_id: z.string(),
  internal_id: z.string(),
  source_version: z.int().nullable(),
  state: z.enum(['ACTIVE', 'INACTIVE']),
});

export const quarantineSchema = z.object({
  quarantine_id: z.string(),
  collection: z.string(),
  source_id: z.string(),
  source_version: z.int().nullable(),
  reason: z.string(),
  status: quarantineStatus,
  item: z.unknown(),
  internal_id: z.string().nullable(),
  correlation_id: z.string(),
  created_at: time,
  updated_at: time,
});
export type QuarantineRecord = z.infer<typeof quarantineSchema>;
export const quarantineListSchema = z.object({
  data: z.array(quarantineSchema),
  next_cursor: z.string().nullable(),
});
export type QuarantineList = z.infer<typeof quarantineListSchema>;
export const redrivenSchema = z.object({
  evaluated: z.int(),
  accepted: z.int(),
  superseded: z.int(),
  quarantined: z.int(),
  results: z.array(
    z.object({
      quarantine_id: z.string(),
      collection: z.string(),
      source_id: z.string(),
      status: quarantineStatus,
      internal_id: z.string().optional(),
      reason: z.string().optional(),
    }),
  ),
});
export type Redriven = z.infer<typeof redrivenSchema>;

export const requestSchema = z.object({
  correlation_id: z.string(),
  received_at: time,
  expires_at: time,
  job_id: z.string().nullable(),
  status: z.int(),
  response: z.unknown(),
});

export const webhookBody = z.strictObject({
  url: z.string().min(1).max(2048),
  events: z
    .array(
      z.enum([
        'master.normalization-conflict',
        'ingest.job.completed',
        'ingest.job.failed',
        'ingest.credential.expiring',
      ]),
    )
    .min(1)
    .optional(),
});
export const webhookSchema = z.object({
  webhook_id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  old_secret_valid_until: time.nullable(),
  created_at: time,
});
export const webhookListSchema = z.object({ data: z.array(webhookSchema), next_cursor: z.null() });
export const secretSchema = z.object({ webhook_id: z.string(), secret: z.string() });

export const certificateBody = z.strictObject({
  thumbprint: z.string().regex(/^([0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}$/, 'is not a SHA-256 thumbprint'),
  warehouses: z.array(z.string().min(1).max(200)).min(1).max(100).optional(),
});
export const certificateSchema = z.object({
  thumbprint: z.string(),
  warehouses: z.array(z.string()).nullable(),
  created_at: time,
  revoked_at: time.nullable(),
});
export const certificateListSchema = z.object({ data: z.array(certificateSchema), next_cursor: z.null() });
