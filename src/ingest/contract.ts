import { z } from 'zod';
import { responseHeaders } from '#http/openapi/response-headers.ts';

/**
 * The wire schemas of Ingest. Bodies with items are not described here: they are read as a stream, and the schema of the
 * collection (`collections/`) validates each item.
 */
export const collectionParams = z.object({
  // Not an enum of Zod: an unknown collection is 404, not an invalid value.
  group: z
    .string()
    .meta({ enum: ['master', 'documents', 'inventory'], description: 'Group of the collection' }),
  name: z.string().meta({
    description: 'Name after the group in `GET /capabilities`, such as skus',
    examples: ['skus'],
  }),
});
export const sourceIdParams = z.object({
  source_id: z.string().meta({ description: 'Id of the item in the source system', examples: ['SKU-4711'] }),
});
export const itemParams = collectionParams.extend(sourceIdParams.shape);
export const idParams = (description: string, example: string) =>
  z.object({ id: z.string().meta({ description, examples: [example] }) });
export const jobParams = idParams('Id of the bulk job', 'job-01JCV4X5Y6Z7A8B9C0D1E2F3G4');
export const internalIdParams = idParams('The internal id of an item', 'sku-01JCV4X5Y6Z7A8B9C0D1E2F3G4');

export const modeSchema = z.enum(['upsert', 'bulk', 'full-refresh']).meta({
  id: 'IngestMode',
  description:
    'upsert: results at once; bulk: a job; full-refresh: a job after which items that were not sent are inactive',
});
export const writeQuery = z.object({
  mode: modeSchema.default('upsert'),
  confirm: z.literal('empty').optional(),
  validate_only: z.enum(['true', 'false']).default('false'),
});

/**
 * The query of writes, for the document only. It rejects nothing, because a replay does not depend on it; `readOrder` and
 * `requireCorrelationId` validate it once the request is known to be new.
 */
export const toldAs = (description: string, more: object = {}) =>
  z
    .unknown()
    .optional()
    .meta({ type: 'string', description, ...more });
export const documentedWriteQuery = z.looseObject({
  mode: toldAs(
    'upsert: results at once; bulk: a job; full-refresh: a job after which items that were not sent are inactive',
    {
      enum: modeSchema.options,
      default: 'upsert',
    },
  ),
  confirm: toldAs('Confirms a full-refresh without items', { enum: ['empty'] }),
  validate_only: toldAs('true: return the results without storing anything', {
    enum: ['true', 'false'],
    default: 'false',
  }),
});
export const documentedReadHeaders = {
  'X-Warehouse-Id': { type: 'string', description: 'Warehouse of the request; absent: partner-wide' },
};
export const documentedWriteHeaders = {
  'X-Correlation-Id': {
    type: 'string',
    description:
      'Identifies the request: a UUID of version 4 or 7, or a ULID. A repeated one replays the first response.',
    examples: ['0190a000-0000-7000-8000-000000000001'],
    required: true,
  },
  ...documentedReadHeaders,
};
export const acceptedAnswerHeaders = {
  Location: responseHeaders.Location,
  'Retry-After': responseHeaders['Retry-After'],
};
export const writeAnswerHeaders = {
  'Idempotent-Replayed': responseHeaders['Idempotent-Replayed'],
  'X-Correlation-Replay': {
    description: '`true` if this is the stored response to an earlier request with the same correlation id.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Correlation-Warning': {
    description: 'Only in a replay: this request differs from the one that first used the correlation id.',
    schema: { type: 'string', enum: ['reused-with-another-request'] },
  },
};

const cursor = z.string().min(1).max(200).optional().describe('`next_cursor` of the previous page');
const limit = z.coerce.number().int().min(1).max(1000).default(100).describe('Largest number of results');
export const pageQuery = z.object({ cursor, limit });
export const resultsQuery = pageQuery.extend({
  format: z.enum(['json', 'ndjson']).optional().describe('ndjson: one result per line, without pages'),
});

export const ULID = '01JCV4X5Y6Z7A8B9C0D1E2F3G4';
export const CORRELATION = '0190a000-0000-7000-8000-000000000001';
export const AT = '2026-11-17T09:15:00.000Z';
export const nextCursor = z.string().nullable().describe('`cursor` of the next page; null on the last page');

const summarySchema = z
  .object({ accepted: z.int(), replay: z.int(), quarantined: z.int(), rejected: z.int() })
  .meta({ id: 'IngestSummary', description: 'Number of items by outcome' });
const summary = { accepted: 1, replay: 0, quarantined: 1, rejected: 0 };
const resultSchema = z
  .object({
    source_id: z.string().nullable().describe('null if the item has no readable source_id'),
    status: z.enum(['ACCEPTED', 'REPLAY', 'QUARANTINED', 'REJECTED']),
    internal_id: z.string().optional(),
    quarantine_id: z.string().optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'ItemResult', description: 'The outcome of one item' });
export const resultExamples = [
  { source_id: 'SKU-4711', status: 'ACCEPTED', internal_id: `sku-${ULID}` },
  {
    source_id: 'SKU-4712',
    status: 'QUARANTINED',
    quarantine_id: `qn-${ULID}`,
    reason: 'base_uom: master/uoms has no item LTR',
  },
];
export const writtenExample = { results: resultExamples, summary };
export const writtenSchema = z
  .object({
    results: z.array(resultSchema).describe('In the order of the items'),
    summary: summarySchema,
    tombstoned: z.int().optional().describe('Only with full-refresh: items that became inactive'),
    validate_only: z.literal(true).optional(),
  })
  .meta({
    id: 'WrittenItems',
    description: 'The results of a write, item by item',
    examples: [writtenExample],
  });
export const acceptedSchema = z
  .object({ job_id: z.string(), status_url: z.string(), accepted_items: z.int() })
  .meta({
    id: 'AcceptedLoad',
    description: 'The items were accepted as a bulk job',
    examples: [
      { job_id: `job-${ULID}`, status_url: `/wms-ingest/v1/jobs/job-${ULID}`, accepted_items: 20_000 },
    ],
  });

export const time = z.iso.datetime();
export const jobSchema = z
  .object({
    job_id: z.string(),
    status: z.enum(['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED']).describe('COMPLETED and FAILED are final'),
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
  })
  .meta({
    id: 'IngestJob',
    description: 'Current state of a bulk job',
    examples: [
      {
        job_id: `job-${ULID}`,
        status: 'COMPLETED',
        collection: 'master/skus',
        mode: 'bulk',
        correlation_id: CORRELATION,
        summary: { accepted: 19_990, replay: 0, quarantined: 10, rejected: 0 },
        tombstoned: null,
        progress: { processed: 20_000, total: 20_000 },
        created_at: AT,
        started_at: '2026-11-17T09:15:01.000Z',
        completed_at: '2026-11-17T09:15:09.000Z',
        results_url: `/wms-ingest/v1/jobs/job-${ULID}/results`,
        error: null,
      },
    ],
  });
export const resultsSchema = z.object({ data: z.array(resultSchema), next_cursor: nextCursor }).meta({
  id: 'ItemResults',
  description: 'One page of results, in the order of the items',
  examples: [{ data: resultExamples, next_cursor: null }],
});

const json = z.record(z.string(), z.unknown());
const itemState = z.enum(['ACTIVE', 'INACTIVE']).meta({ id: 'ItemState' });
export const itemSchema = z
  .object({
    source_id: z.string(),
    internal_id: z.string(),
    source_version: z.int().nullable(),
    state: itemState,
    item: json.describe('The members of the item, as its collection describes them'),
    updated_at: time,
  })
  .meta({
    id: 'StoredItem',
    description: 'An item as it is stored',
    examples: [
      {
        source_id: 'SKU-4711',
        internal_id: `sku-${ULID}`,
        source_version: 7,
        state: 'ACTIVE',
        item: { source_id: 'SKU-4711', name: 'Screw M4', base_uom: 'EA' },
        updated_at: AT,
      },
    ],
  });
export type Item = z.infer<typeof itemSchema>;
const changeSchema = z
  .object({
    change: z.enum(['CREATED', 'UPDATED', 'TOMBSTONED', 'REACTIVATED']),
    number: z.int(),
    correlation_id: z.string(),
    warehouse_id: z.string().nullable(),
    source_version: z.int().nullable(),
    state: itemState,
    changed_at: time,
    before: json.nullable(),
    after: json.nullable(),
    archived: z.boolean(),
  })
  .meta({ id: 'ItemChange', description: 'One change of an item' });
export const historySchema = z.object({ data: z.array(changeSchema), next_cursor: nextCursor }).meta({
  id: 'ItemHistory',
  description: 'One page of the changes of an item, newest first',
  examples: [
    {
      data: [
        {
          change: 'CREATED',
          number: 1,
          correlation_id: CORRELATION,
          warehouse_id: null,
          source_version: 7,
          state: 'ACTIVE',
          changed_at: AT,
          before: null,
          after: { source_id: 'SKU-4711', name: 'Screw M4', base_uom: 'EA' },
          archived: false,
        },
      ],
      next_cursor: null,
    },
  ],
});
export type History = z.infer<typeof historySchema>;
export const mappingSchema = z
  .object({
    collection: z.string(),
    source_id: z.string(),
    internal_id: z.string(),
    source_version: z.int().nullable(),
    state: itemState,
  })
  .meta({
    id: 'ItemMapping',
    description: 'The ids of an item in the source system and in this one',
    examples: [
      {
        collection: 'master/skus',
        source_id: 'SKU-4711',
        internal_id: `sku-${ULID}`,
        source_version: 7,
        state: 'ACTIVE',
      },
    ],
  });
