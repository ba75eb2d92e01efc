import { z } from 'zod';
import { formatSchema, valueSchema } from '#fill/package/value-schema.ts';
import { colorSchema, placedMembers } from '../overlay-members.ts';

export const qrOverlaySchema = z
  .strictObject({
    ...placedMembers,
    type: z.literal('qr'),
    value: valueSchema,
    ecc: z.enum(['L', 'M', 'Q', 'H']).default('M').describe('Error correction level'),
    color: colorSchema.default('#000000'),
    format: formatSchema.optional(),
  })
  .meta({ id: 'qr_overlay' });

export type QrOverlay = z.infer<typeof qrOverlaySchema>;
