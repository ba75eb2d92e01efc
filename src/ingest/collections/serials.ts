import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { base, optionalReference, refer, sourceId } from './fields.ts';

export const serials = defineCollection({
  path: 'master/serials',
  no: 7,
  prefix: 'ser',
  schema: z
    .strictObject({
      ...base,
      sku_source_id: sourceId,
      serial_no: z.string().min(1).max(200).optional(),
      lot_source_id: sourceId.optional(),
      status: z.string().min(1).max(50).optional(),
    })
    .meta({
      id: 'SerialItem',
      description: 'A serial number of a SKU',
      examples: [{ source_id: 'SN-1', sku_source_id: 'SKU-1', serial_no: '000123' }],
    }),
  references: (item) => [
    refer('master/skus', item.sku_source_id, 'sku_source_id'),
    ...optionalReference('master/lots', item.lot_source_id, 'lot_source_id'),
  ],
  canonical: keepAsSent,
});
