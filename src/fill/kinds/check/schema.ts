import { z } from 'zod';
import { valueSchema } from '#fill/package/value-schema.ts';
import { colorSchema, placedMembers } from '../overlay-members.ts';

export const checkOverlaySchema = z
  .strictObject({
    ...placedMembers,
    type: z.literal('check'),
    value: valueSchema.describe('true yes y 1 x on ✓ draw the mark; false no n 0 off and blank do not'),
    on_value: z
      .string()
      .max(1000)
      .optional()
      .describe('A further text that draws the mark; in a group, the only one'),
    group: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Name of a choice group: check marks with one value, each drawn only for its own on_value'),
    mark: z.enum(['check', 'cross', 'dot', 'square']).default('check'),
    color: colorSchema.default('#000000'),
  })
  .meta({ id: 'check_overlay' });

export type CheckOverlay = z.infer<typeof checkOverlaySchema>;
