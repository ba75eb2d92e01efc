import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { document, documentReferences } from './fields.ts';

export const salesOrders = defineCollection({
  path: 'documents/sales-orders',
  no: 9,
  prefix: 'so',
  schema: z.strictObject({ ...document }),
  references: documentReferences,
  canonical: keepAsSent,
});
