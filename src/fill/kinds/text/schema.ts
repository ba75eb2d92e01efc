import { z } from 'zod';
import { valueSchema } from '#fill/package/value-schema.ts';
import { placedMembers, typesetMembers } from '../overlay-members.ts';

export const textOverlaySchema = z
  .strictObject({
    ...placedMembers,
    type: z.literal('text'),
    value: valueSchema,
    ...typesetMembers,
    comb: z
      .int()
      .min(2)
      .max(200)
      .optional()
      .describe(
        'Number of equal cells with one character each, centred; padding then applies above and below only',
      ),
    markup: z
      .boolean()
      .optional()
      .describe(
        'Read **bold**, *italic*, __underline__ and [colour](#rrggbb) in the text of the layout; values of rows are never markup',
      ),
  })
  .meta({ id: 'text_overlay' });

export type TextOverlay = z.infer<typeof textOverlaySchema>;
