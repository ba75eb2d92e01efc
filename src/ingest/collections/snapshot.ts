import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { base, instant, optionalReference, quantityOrNone, refer, sourceId } from './fields.ts';

/** What lies where at one moment; a full refresh replaces the picture. */
export const snapshot = defineCollection({
  path: 'inventory/snapshot',
  no: 14,
  prefix: 'inv',
  schema: z.strictObject({
    ...base,
    sku_source_id: sourceId,
    location: sourceId,
    quantity: quantityOrNone,
    uom: sourceId.optional(),
    lot_source_id: sourceId.optional(),
    counted_at: instant.optional(),
  }),
  references: (item) => [
    refer('master/skus', item.sku_source_id, 'sku_source_id'),
    refer('master/locations', item.location, 'location'),
    ...optionalReference('master/uoms', item.uom, 'uom'),
    ...optionalReference('master/lots', item.lot_source_id, 'lot_source_id'),
  ],
  canonical: keepAsSent,
});
