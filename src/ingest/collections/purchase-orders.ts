import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { document, documentReferences } from './fields.ts';

export const purchaseOrders = defineCollection({
  path: 'documents/purchase-orders',
  no: 8,
  prefix: 'po',
  schema: z.strictObject({ ...document }),
  references: documentReferences,
  canonical: keepAsSent,
});
