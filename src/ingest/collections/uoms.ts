import { z } from 'zod';
import { defineCollection, keepAsSent } from './definition.ts';
import { base, name } from './fields.ts';

/** Units of measure; every quantity names one. */
export const uoms = defineCollection({
  path: 'master/uoms',
  no: 1,
  prefix: 'uom',
  schema: z
    .strictObject({
      ...base,
      name,
      dimension: z.enum(['COUNT', 'MASS', 'VOLUME', 'LENGTH', 'AREA', 'TIME', 'OTHER']).optional(),
      decimals: z.int().min(0).max(9).optional(),
    })
    .meta({
      id: 'UomItem',
      description: 'A unit of measure',
      examples: [{ source_id: 'EA', source_version: 1, name: 'Each' }],
    }),
  references: () => [],
  canonical: keepAsSent,
});
