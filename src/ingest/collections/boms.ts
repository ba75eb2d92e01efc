import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { base, optionalReference, quantity, refer, sourceId } from './fields.ts';

/** Bills of materials. The pipeline detects cycles across several of them (`graph`). */
export const boms = defineCollection({
  path: 'master/boms',
  no: 4,
  prefix: 'bom',
  schema: z
    .strictObject({
      ...base,
      parent_sku_source_id: sourceId,
      components: z
        .array(z.strictObject({ sku_source_id: sourceId, quantity, uom: sourceId.optional() }))
        .min(1)
        .max(10_000),
    })
    .refine((bom) => bom.components.every((c) => c.sku_source_id !== bom.parent_sku_source_id), {
      path: ['components'],
      message: 'the parent contains itself',
    })
    .meta({
      id: 'BomItem',
      description: 'A bill of materials',
      examples: [
        {
          source_id: 'BOM-1',
          parent_sku_source_id: 'SKU-1',
          components: [{ sku_source_id: 'SKU-4711', quantity: 8 }],
        },
      ],
    }),
  references: (item) => [
    refer('master/skus', item.parent_sku_source_id, 'parent_sku_source_id'),
    ...item.components.flatMap((c, i) => [
      refer('master/skus', c.sku_source_id, `components.${i}.sku_source_id`),
      ...optionalReference('master/uoms', c.uom, `components.${i}.uom`),
    ]),
  ],
  canonical: keepAsSent,
  graph: (item) => ({
    node: item.parent_sku_source_id,
    edges: [...new Set(item.components.map((c) => c.sku_source_id))],
  }),
});
