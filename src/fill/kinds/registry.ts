import { barcodeKind } from './barcode/kind.ts';
import { checkKind } from './check/kind.ts';
import { dateKind } from './date/kind.ts';
import { imageKind } from './image/kind.ts';
import { qrKind } from './qr/kind.ts';
import { signatureKind } from './signature/kind.ts';
import { stickerKind } from './sticker/kind.ts';
import { textKind } from './text/kind.ts';

/** All overlay kinds, in the order of the published schema. */
export const KINDS = [
  textKind,
  dateKind,
  qrKind,
  barcodeKind,
  imageKind,
  signatureKind,
  checkKind,
  stickerKind,
] as const;
