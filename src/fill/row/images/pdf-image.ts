import type { ObjectNumbers, PdfObject } from '../../write/tail-object.ts';

/** A picture ready to become an image XObject (ISO 32000-2 §8.9.5). */
export interface PdfImage {
  readonly width: number;
  readonly height: number;
  write(numbers: ObjectNumbers): { readonly num: number; readonly objects: readonly PdfObject[] };
}
