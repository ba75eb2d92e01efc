import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { document, documentReferences, instant, optionalReference, sourceId } from './fields.ts';

export const shippers = defineCollection({
  path: 'documents/shippers',
  no: 11,
  prefix: 'shp',
  schema: z
    .strictObject({
      ...document,
      so_source_id: sourceId.optional(),
      carrier_source_id: sourceId.optional(),
      shipped_at: instant.optional(),
    })
    .meta({
      id: 'ShipperItem',
      description: 'A shipment of goods',
      examples: [{ source_id: 'SHP-1', lines: [{ sku_source_id: 'SKU-4711', quantity: 20 }] }],
    }),
  references: (item) => [
    ...optionalReference('documents/sales-orders', item.so_source_id, 'so_source_id'),
    ...optionalReference('master/addresses', item.carrier_source_id, 'carrier_source_id'),
    ...documentReferences(item),
  ],
  canonical: keepAsSent,
});
