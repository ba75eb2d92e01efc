import { z } from 'zod';
import { formatSchema, showIfSchema } from '../package/value-schema.ts';

/**
 * Schema members that several overlay kinds have in common. Lengths are points; `x` and `y` lead from the top-left corner
 * of the page as displayed (after CropBox, /Rotate and UserUnit) to the top-left corner of the overlay's box; pages count
 * from 1. `rotation` turns the box clockwise, in degrees, about its centre. Objects are closed: a misspelt member is an
 * error. Parsing fills in the defaults, so that drawing never checks whether a member is present.
 */
const LENGTH_MAX = 20_000;
const offset = z.number().min(-LENGTH_MAX).max(LENGTH_MAX);
const extent = z.number().min(0.1).max(LENGTH_MAX);

export const colorSchema = z
  .string()
  .regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'must be #rgb or #rrggbb');
export const idSchema = z.string().min(1).max(100);
export const fontNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/)
  .describe('sans, serif, mono, or a name declared under fonts');

/** Members of every overlay. */
export const placedMembers = {
  id: idSchema.describe('Unique in the layout; row warnings name it'),
  page: z.int().min(1).max(100_000),
  x: offset,
  y: offset,
  width: extent,
  height: extent,
  rotation: z
    .number()
    .min(-360)
    .max(360)
    .default(0)
    .describe('Degrees, clockwise, about the centre of the box'),
  opacity: z.number().min(0).max(1).default(1),
  show_if: showIfSchema.optional(),
};

/** Members of an overlay whose value is set as text. */
export const typesetMembers = {
  font: fontNameSchema.default('sans'),
  bold: z.boolean().default(false),
  italic: z.boolean().default(false),
  size: z.number().min(1).max(2000).default(12),
  min_size: z.number().min(0.5).max(2000).default(4).describe('How far fit "shrink" may go down'),
  color: colorSchema.default('#000000'),
  padding: z
    .number()
    .min(0)
    .max(200)
    .default(0)
    .describe('Free space between each edge of the box and the text, in points'),
  align: z.enum(['left', 'center', 'right']).default('left'),
  valign: z.enum(['top', 'middle', 'bottom']).default('top'),
  line_height: z.number().min(0.5).max(10).default(1.2).describe('A multiple of the size'),
  wrap: z.boolean().default(false).describe('Break lines at the width of the box; fit "wrap" implies it'),
  fit: z
    .enum(['shrink', 'wrap', 'clip'])
    .default('shrink')
    .describe('What happens to text larger than its box: smaller type, more lines, or cut at the edge'),
  format: formatSchema.optional(),
};

/** Members of an overlay that shows a picture. */
export const pictureMembers = {
  fit: z.enum(['contain', 'cover', 'stretch']).default('contain'),
  align: z.enum(['left', 'center', 'right']).default('center'),
  valign: z.enum(['top', 'middle', 'bottom']).default('middle'),
};
