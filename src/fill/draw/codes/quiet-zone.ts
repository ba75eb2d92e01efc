import type { Symbology } from '#fill/package/symbologies.ts';

/**
 * The white margin around a symbol in modules, at least as wide as its standard requires: ISO/IEC 18004 (QR) 4, 16022 (Data
 * Matrix) 1, 15438 (PDF417) 2, 15420 (EAN, UPC) up to 11, 15417 (Code 128) 10, AIM DotCode and Han Xin 3. The margin is part
 * of the symbol's white background.
 */
export interface QuietZone {
  readonly x: number;
  readonly y: number;
}

const MATRIX: Partial<Record<Symbology, number>> = {
  codeone: 2,
  d3aqr: 4,
  dotcode: 3,
  gs1dlqrcode: 4,
  gs1dotcode: 3,
  gs1qrcode: 4,
  hanxin: 3,
  hibcqrcode: 4,
  maxicode: 2,
  qrcode: 4,
  swissqrcode: 4,
};

const RETAIL = /^(ean|upc|isbn|ismn|issn|mands)/;
const SQUARE = /aztec|datamatrix|pdf417|microqr|mailmark|ultracode/;

export function quietZoneOf(symbology: Symbology): QuietZone {
  const matrix = MATRIX[symbology] ?? (SQUARE.test(symbology) ? 2 : undefined);
  if (matrix !== undefined) return { x: matrix, y: matrix };
  return { x: RETAIL.test(symbology) ? 11 : 10, y: 1 };
}
