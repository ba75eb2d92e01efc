import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { base, instant, optionalReference, quantityOrNone, refer, sourceId } from './fields.ts';

/** Stock by location at one moment; a full refresh replaces it. */
export const snapshot = defineCollection({
  path: 'inventory/snapshot',
  no: 14,
  prefix: 'inv',
  schema: z
    .strictObject({
      ...base,
      sku_source_id: sourceId,
      location: sourceId,
      quantity: quantityOrNone,
      uom: sourceId.optional(),
      /** The lot's source_id; `lot` is an alias. */
      lot_source_id: sourceId.optional(),
      lot: sourceId.optional(),
      counted_at: instant.optional(),
    })
    .meta({
      id: 'SnapshotItem',
      description: 'The quantity of a SKU at a location',
      examples: [
        { source_id: 'A-01-02/SKU-4711', sku_source_id: 'SKU-4711', location: 'A-01-02', quantity: 120 },
      ],
    }),
  references: (item) => [
    refer('master/skus', item.sku_source_id, 'sku_source_id'),
    refer('master/locations', item.location, 'location'),
    ...optionalReference('master/uoms', item.uom, 'uom'),
    ...optionalReference('master/lots', item.lot_source_id ?? item.lot, 'lot_source_id'),
  ],
  canonical: ({ lot, ...item }) => ({
    ...keepAsSent(item),
    ...(lot !== undefined && { lot_source_id: item.lot_source_id ?? lot }),
  }),
});
