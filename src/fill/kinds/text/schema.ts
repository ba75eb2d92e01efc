import { z } from 'zod';
import { valueSchema } from '#fill/package/value-schema.ts';
import { placedMembers, typesetMembers } from '../overlay-members.ts';

export const textOverlaySchema = z
  .strictObject({
    ...placedMembers,
    type: z.literal('text'),
    value: valueSchema,
    ...typesetMembers,
  })
  .meta({ id: 'text_overlay' });

export type TextOverlay = z.infer<typeof textOverlaySchema>;
