import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { document, documentReferences, optionalReference, quantity, sourceId } from './fields.ts';

export const workOrders = defineCollection({
  path: 'documents/work-orders',
  no: 12,
  prefix: 'wo',
  schema: z
    .strictObject({
      ...document,
      sku_source_id: sourceId.optional(),
      bom_source_id: sourceId.optional(),
      quantity: quantity.optional(),
    })
    .meta({
      id: 'WorkOrderItem',
      description: 'A work order',
      examples: [{ source_id: 'WO-1', status: 'PLANNED' }],
    }),
  references: (item) => [
    ...optionalReference('master/skus', item.sku_source_id, 'sku_source_id'),
    ...optionalReference('master/boms', item.bom_source_id, 'bom_source_id'),
    ...documentReferences(item),
  ],
  canonical: keepAsSent,
});
