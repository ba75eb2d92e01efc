import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { document, documentReferences } from './fields.ts';

export const salesOrders = defineCollection({
  path: 'documents/sales-orders',
  no: 9,
  prefix: 'so',
  schema: z.strictObject({ ...document }).meta({
    id: 'SalesOrderItem',
    description: 'A sales order',
    examples: [
      {
        source_id: 'SO-1',
        status: 'OPEN',
        lines: [{ line_no: 1, sku_source_id: 'SKU-4711', quantity: 20 }],
      },
    ],
  }),
  references: documentReferences,
  canonical: keepAsSent,
});
