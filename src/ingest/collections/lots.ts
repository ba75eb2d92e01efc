import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { base, instant, refer, sourceId } from './fields.ts';

export const lots = defineCollection({
  path: 'master/lots',
  no: 6,
  prefix: 'lot',
  schema: z.strictObject({
    ...base,
    sku_source_id: sourceId,
    lot_no: z.string().min(1).max(200).optional(),
    produced_at: instant.optional(),
    expires_at: instant.optional(),
    status: z.string().min(1).max(50).optional(),
  }),
  references: (item) => [refer('master/skus', item.sku_source_id, 'sku_source_id')],
  canonical: keepAsSent,
});
