import { z } from 'zod';
import { valueSchema } from '#fill/package/value-schema.ts';
import { pictureMembers, placedMembers } from '../overlay-members.ts';

export const imageOverlaySchema = z
  .strictObject({
    ...placedMembers,
    type: z.literal('image'),
    value: valueSchema.describe('The name of a package asset, or a PNG or JPEG as base64 or data: URL'),
    ...pictureMembers,
  })
  .meta({ id: 'image_overlay' });

export type ImageOverlay = z.infer<typeof imageOverlaySchema>;
