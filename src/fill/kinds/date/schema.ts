import { z } from 'zod';
import { valueSchema } from '#fill/package/value-schema.ts';
import { placedMembers, typesetMembers } from '../overlay-members.ts';

export const dateOverlaySchema = z
  .strictObject({
    ...placedMembers,
    type: z.literal('date'),
    value: valueSchema.describe('A stored or mapped date; never the day of the run'),
    ...typesetMembers,
  })
  .meta({ id: 'date_overlay' });

export type DateOverlay = z.infer<typeof dateOverlaySchema>;
