import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { base, instant, refer, sourceId } from './fields.ts';

export const lots = defineCollection({
  path: 'master/lots',
  no: 6,
  prefix: 'lot',
  schema: z
    .strictObject({
      ...base,
      sku_source_id: sourceId,
      lot_no: z.string().min(1).max(200).optional(),
      produced_at: instant.optional(),
      expires_at: instant.optional(),
      status: z.string().min(1).max(50).optional(),
    })
    .meta({
      id: 'LotItem',
      description: 'A lot of a SKU',
      examples: [{ source_id: 'LOT-9', sku_source_id: 'SKU-4711', expires_at: '2027-06-30' }],
    }),
  references: (item) => [refer('master/skus', item.sku_source_id, 'sku_source_id')],
  canonical: keepAsSent,
});
