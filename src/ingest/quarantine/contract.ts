import { z } from 'zod';
import { AT, CORRELATION, idParams, nextCursor, pageQuery, time, toldAs, ULID } from '../contract.ts';

/** The wire schemas of the quarantine. */
export const quarantineStatus = z
  .enum(['OPEN', 'RELEASED', 'DISCARDED', 'ACCEPTED', 'SUPERSEDED'])
  .meta({ id: 'QuarantineStatus' });
const collectionName = z
  .string()
  .max(100)
  .optional()
  .meta({ description: 'Only records of this collection', examples: ['master/skus'] });
export const quarantineQuery = pageQuery.extend({
  collection: collectionName,
  status: quarantineStatus.optional().describe('Only records with this status'),
});
export const redriveQuery = z.object({ collection: z.string().max(100).optional() });
export const documentedRedriveQuery = z.looseObject({
  collection: toldAs('Only records of this collection', { examples: ['master/skus'] }),
});
export const quarantineParams = idParams('Id of the quarantine record', 'qn-01JCV4X5Y6Z7A8B9C0D1E2F3G4');

export const quarantineSchema = z
  .object({
    quarantine_id: z.string(),
    collection: z.string(),
    source_id: z.string(),
    source_version: z.int().nullable(),
    reason: z.string(),
    status: quarantineStatus,
    item: z.unknown().describe('The item as it was sent'),
    internal_id: z.string().nullable(),
    correlation_id: z.string(),
    created_at: time,
    updated_at: time,
  })
  .meta({
    id: 'QuarantineRecord',
    description: 'An item with a missing reference, or its end',
    examples: [
      {
        quarantine_id: `qn-${ULID}`,
        collection: 'master/skus',
        source_id: 'SKU-4712',
        source_version: 1,
        reason: 'base_uom: master/uoms has no item LTR',
        status: 'OPEN',
        item: { source_id: 'SKU-4712', source_version: 1, name: 'Oil', base_uom: 'LTR' },
        internal_id: null,
        correlation_id: CORRELATION,
        created_at: AT,
        updated_at: AT,
      },
    ],
  });
export type QuarantineRecord = z.infer<typeof quarantineSchema>;
export const quarantineListSchema = z
  .object({ data: z.array(quarantineSchema), next_cursor: nextCursor })
  .meta({
    id: 'QuarantineRecords',
    description: 'One page of quarantine records, newest first',
    examples: [{ data: [], next_cursor: null }],
  });
export type QuarantineList = z.infer<typeof quarantineListSchema>;
export const redrivenSchema = z
  .object({
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
  })
  .meta({
    id: 'RedrivenItems',
    description: 'The results of the evaluation, record by record',
    examples: [
      {
        evaluated: 1,
        accepted: 1,
        superseded: 0,
        quarantined: 0,
        results: [
          {
            quarantine_id: `qn-${ULID}`,
            collection: 'master/skus',
            source_id: 'SKU-4712',
            status: 'ACCEPTED',
            internal_id: `sku-${ULID}`,
          },
        ],
      },
    ],
  });
export type Redriven = z.infer<typeof redrivenSchema>;
