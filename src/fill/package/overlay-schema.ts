import { z } from 'zod';
import { isLinear, SYMBOLOGIES } from './symbologies.ts';
import { formatSchema, showIfSchema, valueSchema } from './value-schema.ts';

/**
 * What can be placed on a page. Lengths are points; `x` and `y` lead from the top-left corner of the page as
 * displayed (after CropBox, /Rotate and UserUnit) to the top-left corner of the overlay's box; pages count from 1.
 * `rotation` turns the box clockwise, in degrees, about its centre. Objects are closed: a misspelt member is an error.
 * Defaults are filled in while parsing, so the drawing code never asks whether a member is there.
 */
const LENGTH_MAX = 20_000;
const offset = z.number().min(-LENGTH_MAX).max(LENGTH_MAX);
const extent = z.number().min(0.1).max(LENGTH_MAX);

const colorSchema = z.string().regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'must be #rgb or #rrggbb');
export const idSchema = z.string().min(1).max(100);
export const fontNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/)
  .describe('sans, serif, mono, or a name declared under fonts');

const placed = {
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

const typeset = {
  font: fontNameSchema.default('sans'),
  bold: z.boolean().default(false),
  italic: z.boolean().default(false),
  size: z.number().min(1).max(2000).default(12),
  min_size: z.number().min(0.5).max(2000).default(4).describe('How far fit "shrink" may go down'),
  color: colorSchema.default('#000000'),
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

const textOverlaySchema = z
  .strictObject({
    ...placed,
    type: z.literal('text'),
    value: valueSchema,
    ...typeset,
  })
  .meta({ id: 'text_overlay' });

const dateOverlaySchema = z
  .strictObject({
    ...placed,
    type: z.literal('date'),
    value: valueSchema.describe('A stored or mapped date; never the day of the run'),
    ...typeset,
  })
  .meta({ id: 'date_overlay' });

const qrOverlaySchema = z
  .strictObject({
    ...placed,
    type: z.literal('qr'),
    value: valueSchema,
    ecc: z.enum(['L', 'M', 'Q', 'H']).default('M').describe('Error correction level'),
    color: colorSchema.default('#000000'),
    format: formatSchema.optional(),
  })
  .meta({ id: 'qr_overlay' });

const barcodeOverlaySchema = z
  .strictObject({
    ...placed,
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

const picture = {
  fit: z.enum(['contain', 'cover', 'stretch']).default('contain'),
  align: z.enum(['left', 'center', 'right']).default('center'),
  valign: z.enum(['top', 'middle', 'bottom']).default('middle'),
};

const imageOverlaySchema = z
  .strictObject({
    ...placed,
    type: z.literal('image'),
    value: valueSchema.describe('The name of a package asset, or a PNG or JPEG as base64 or data: URL'),
    ...picture,
  })
  .meta({ id: 'image_overlay' });

const signatureOverlaySchema = z
  .strictObject({
    ...placed,
    type: z.literal('signature'),
    value: valueSchema.describe('As for an image, or a name, which is then typed; never a digital signature'),
    ...picture,
  })
  .meta({ id: 'signature_overlay' });

const checkOverlaySchema = z
  .strictObject({
    ...placed,
    type: z.literal('check'),
    value: valueSchema.describe('true yes y 1 x on ✓ draw the mark; false no n 0 off and blank do not'),
    on_value: z.string().max(1000).optional().describe('A further text that draws the mark'),
    mark: z.enum(['check', 'cross', 'dot', 'square']).default('check'),
    color: colorSchema.default('#000000'),
  })
  .meta({ id: 'check_overlay' });

/** Drawn only when the run includes stickers: a picture, or a coloured tag with a short label ("Sign here"). */
const stickerOverlaySchema = z
  .strictObject({
    ...placed,
    type: z.literal('sticker'),
    value: valueSchema.optional().describe('A picture, as for an image'),
    label: z
      .string()
      .min(1)
      .max(60)
      .default('Sign here')
      .describe('The text of the tag when there is no picture'),
    color: colorSchema.default('#ffd54a').describe('The colour of the tag'),
    ...picture,
  })
  .meta({ id: 'sticker_overlay' });

export const overlaySchema = z.discriminatedUnion('type', [
  textOverlaySchema,
  dateOverlaySchema,
  qrOverlaySchema,
  barcodeOverlaySchema,
  imageOverlaySchema,
  signatureOverlaySchema,
  checkOverlaySchema,
  stickerOverlaySchema,
]);

export type TextOverlay = z.infer<typeof textOverlaySchema>;
export type DateOverlay = z.infer<typeof dateOverlaySchema>;
export type QrOverlay = z.infer<typeof qrOverlaySchema>;
export type BarcodeOverlay = z.infer<typeof barcodeOverlaySchema>;
export type ImageOverlay = z.infer<typeof imageOverlaySchema>;
export type SignatureOverlay = z.infer<typeof signatureOverlaySchema>;
export type CheckOverlay = z.infer<typeof checkOverlaySchema>;
export type StickerOverlay = z.infer<typeof stickerOverlaySchema>;
export type Overlay = z.infer<typeof overlaySchema>;
