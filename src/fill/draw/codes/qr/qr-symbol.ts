import type { BitMatrix } from './bit-matrix.ts';
import type { QrLevel } from './qr-capacity.ts';
import { qrCodewords } from './qr-codewords.ts';
import { chooseMask } from './qr-mask.ts';
import { finishOf, newSides, type QrTemplate, type Sides, templateOf } from './qr-template.ts';

/**
 * The QR symbol of a text (ISO/IEC 18004). With a library, a QR code was more than half of a row's work, most of it the
 * conversion of a matrix of booleans into rectangles. The tests compare every module with that library.
 */
export interface QrSymbol {
  readonly template: QrTemplate;
  /** Valid until the next call: one matrix for each version is reused. */
  readonly modules: BitMatrix;
}

/** Returns undefined if the text does not fit the largest symbol. */
export function qrSymbol(text: string, level: QrLevel): QrSymbol | undefined {
  const codewords = qrCodewords(text, level);
  if (codewords === undefined) return undefined;
  const { version, bytes, length } = codewords;
  const template = templateOf(version);
  const sides = workOf(version, template);
  fill(template, sides, bytes, length);
  const { bits } = finishOf(template, version, level, chooseMask(template, sides));
  const modules = sides.lines;
  for (let at = 0; at < bits.length; at += 1) {
    modules.bits[at] = (modules.bits[at] as number) ^ (bits[at] as number);
  }
  return { template, modules };
}

const works: Sides[] = [];

function workOf(version: number, { size }: QrTemplate): Sides {
  works[version] ??= newSides(size);
  return works[version];
}

/** The fixed patterns and the data, unmasked. A few modules at the end may be unused; they are light. */
function fill(template: QrTemplate, sides: Sides, bytes: Uint8Array, length: number): void {
  const { fixed, linePlaces, columnPlaces } = template;
  const lines = sides.lines.bits;
  const columns = sides.columns.bits;
  lines.set(fixed.lines.bits);
  columns.set(fixed.columns.bits);
  for (let index = 0, at = 0; index < length; index += 1) {
    const byte = bytes[index] as number;
    for (let bit = 7; bit >= 0; bit -= 1, at += 1) {
      const dark = (byte >> bit) & 1;
      const line = linePlaces[at] as number;
      const column = columnPlaces[at] as number;
      lines[line >>> 5] = (lines[line >>> 5] as number) | (dark << (line & 31));
      columns[column >>> 5] = (columns[column >>> 5] as number) | (dark << (column & 31));
    }
  }
}
