import { z } from 'zod';
import { valueSchema } from '#fill/package/value-schema.ts';
import { colorSchema, pictureMembers, placedMembers } from '../overlay-members.ts';

/** A picture, or a coloured tag with a short label ("Sign here"). Drawn only in runs that include stickers. */
export const stickerOverlaySchema = z
  .strictObject({
    ...placedMembers,
    type: z.literal('sticker'),
    value: valueSchema.optional().describe('A picture, as for an image'),
    label: z
      .string()
      .min(1)
      .max(60)
      .default('Sign here')
      .describe('The text of the tag when there is no picture'),
    color: colorSchema.default('#ffd54a').describe('The colour of the tag'),
    ...pictureMembers,
  })
  .meta({ id: 'sticker_overlay' });

export type StickerOverlay = z.infer<typeof stickerOverlaySchema>;
