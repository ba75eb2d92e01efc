import { barcodeKind } from './barcode/kind.ts';
import { checkKind } from './check/kind.ts';
import { dateKind } from './date/kind.ts';
import { imageKind } from './image/kind.ts';
import type { OverlayType } from './overlay-schema.ts';
import { qrKind } from './qr/kind.ts';
import { signatureKind } from './signature/kind.ts';
import { stickerKind } from './sticker/kind.ts';
import { tableKind } from './table/kind.ts';
import { textKind } from './text/kind.ts';

/** All overlay kinds. */
export const KINDS = [
  textKind,
  dateKind,
  qrKind,
  barcodeKind,
  imageKind,
  signatureKind,
  checkKind,
  stickerKind,
  tableKind,
] as const;

/** Fails to compile unless every schema has a kind and every kind has a schema. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
true satisfies Same<(typeof KINDS)[number]['type'], OverlayType>;
