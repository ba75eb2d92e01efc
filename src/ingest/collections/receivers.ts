import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { document, documentReferences, instant, refer, sourceId } from './fields.ts';

export const receivers = defineCollection({
  path: 'documents/receivers',
  no: 10,
  prefix: 'rcv',
  schema: z.strictObject({ ...document, po_source_id: sourceId, received_at: instant.optional() }),
  references: (item) => [
    refer('documents/purchase-orders', item.po_source_id, 'po_source_id'),
    ...documentReferences(item),
  ],
  canonical: keepAsSent,
});
