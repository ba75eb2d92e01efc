import { barcodeOverlaySchema } from './barcode/schema.ts';
import { checkOverlaySchema } from './check/schema.ts';
import { dateOverlaySchema } from './date/schema.ts';
import { imageOverlaySchema } from './image/schema.ts';
import { qrOverlaySchema } from './qr/schema.ts';
import { signatureOverlaySchema } from './signature/schema.ts';
import { stickerOverlaySchema } from './sticker/schema.ts';
import { tableOverlaySchema } from './table/schema.ts';
import { textOverlaySchema } from './text/schema.ts';

/** The schemas of all overlay kinds, in the order of the published schema. */
export const SCHEMAS = [
  textOverlaySchema,
  dateOverlaySchema,
  qrOverlaySchema,
  barcodeOverlaySchema,
  imageOverlaySchema,
  signatureOverlaySchema,
  checkOverlaySchema,
  stickerOverlaySchema,
  tableOverlaySchema,
] as const;
