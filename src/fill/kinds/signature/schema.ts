import { z } from 'zod';
import { valueSchema } from '#fill/package/value-schema.ts';
import { pictureMembers, placedMembers } from '../overlay-members.ts';

export const signatureOverlaySchema = z
  .strictObject({
    ...placedMembers,
    type: z.literal('signature'),
    value: valueSchema.describe('As for an image, or a name, which is then typed; never a digital signature'),
    ...pictureMembers,
  })
  .meta({ id: 'signature_overlay' });

export type SignatureOverlay = z.infer<typeof signatureOverlaySchema>;
