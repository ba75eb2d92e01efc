import { z } from 'zod';
import { isLinear, SYMBOLOGIES } from '#fill/package/symbologies.ts';
import { formatSchema, valueSchema } from '#fill/package/value-schema.ts';
import { colorSchema, placedMembers } from '../overlay-members.ts';

export const barcodeOverlaySchema = z
  .strictObject({
    ...placedMembers,
    type: z.literal('barcode'),
    symbology: z.enum(SYMBOLOGIES),
    value: valueSchema,
    human_readable: z
      .boolean()
      .optional()
      .describe('Write the encoded text below the bars, inside the box; linear symbologies only'),
    color: colorSchema.default('#000000'),
    format: formatSchema.optional(),
  })
  .refine(({ symbology, human_readable }) => human_readable !== true || isLinear(symbology), {
    error: 'must not be true: this symbology is not linear',
    path: ['human_readable'],
  })
  .meta({ id: 'barcode_overlay' });

export type BarcodeOverlay = z.infer<typeof barcodeOverlaySchema>;
