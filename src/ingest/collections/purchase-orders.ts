import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { document, documentReferences } from './fields.ts';

export const purchaseOrders = defineCollection({
  path: 'documents/purchase-orders',
  no: 8,
  prefix: 'po',
  schema: z.strictObject({ ...document }).meta({
    id: 'PurchaseOrderItem',
    description: 'A purchase order',
    examples: [
      {
        source_id: 'PO-1',
        status: 'OPEN',
        lines: [{ line_no: 1, sku_source_id: 'SKU-4711', quantity: 500 }],
      },
    ],
  }),
  references: documentReferences,
  canonical: keepAsSent,
});
