import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { document, documentReferences, optionalReference, sourceId } from './fields.ts';

export const transferOrders = defineCollection({
  path: 'documents/transfer-orders',
  no: 13,
  prefix: 'to',
  schema: z
    .strictObject({
      ...document,
      from_location: sourceId.optional(),
      to_location: sourceId.optional(),
    })
    .meta({
      id: 'TransferOrderItem',
      description: 'A transfer between locations',
      examples: [{ source_id: 'TO-1', lines: [{ sku_source_id: 'SKU-4711', quantity: 5 }] }],
    }),
  references: (item) => [
    ...optionalReference('master/locations', item.from_location, 'from_location'),
    ...optionalReference('master/locations', item.to_location, 'to_location'),
    ...documentReferences(item),
  ],
  canonical: keepAsSent,
});
