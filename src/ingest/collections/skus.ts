import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { base, name, refer } from './fields.ts';

/** Articles. The base unit must exist first. */
export const skus = defineCollection({
  path: 'master/skus',
  no: 3,
  prefix: 'sku',
  schema: z
    .strictObject({
      ...base,
      name,
      base_uom: z.string().min(1).max(200),
      description: z.string().max(10_000).optional(),
      barcode: z.string().min(1).max(200).optional(),
      lot_tracked: z.boolean().default(false),
      serial_tracked: z.boolean().default(false),
      hazmat_class: z.string().min(1).max(50).optional(),
      temperature_class: z.string().min(1).max(50).optional(),
      weight_kg: z.number().nonnegative().optional(),
      volume_m3: z.number().nonnegative().optional(),
    })
    .meta({
      id: 'SkuItem',
      description: 'A stock keeping unit',
      examples: [{ source_id: 'SKU-4711', source_version: 7, name: 'Screw M4', base_uom: 'EA' }],
    }),
  references: (item) => [refer('master/uoms', item.base_uom, 'base_uom')],
  canonical: keepAsSent,
});
