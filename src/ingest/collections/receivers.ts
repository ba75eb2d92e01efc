import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { document, documentReferences, instant, refer, sourceId } from './fields.ts';

export const receivers = defineCollection({
  path: 'documents/receivers',
  no: 10,
  prefix: 'rcv',
  schema: z.strictObject({ ...document, po_source_id: sourceId, received_at: instant.optional() }).meta({
    id: 'ReceiverItem',
    description: 'A receipt of goods for a purchase order',
    examples: [{ source_id: 'RCV-1', po_source_id: 'PO-1', received_at: '2026-11-17T08:00:00Z' }],
  }),
  references: (item) => [
    refer('documents/purchase-orders', item.po_source_id, 'po_source_id'),
    ...documentReferences(item),
  ],
  canonical: keepAsSent,
});
