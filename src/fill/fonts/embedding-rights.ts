import type { Sfnt } from './sfnt.ts';

/**
 * Reads `fsType` of the OS/2 table (ISO/IEC 14496-22 §5.2.8.2.2): what the font's licence permits. Every document embeds a
 * subset of the font. Returns the reason why it must not, or undefined. If several usage bits are set, the least restrictive
 * one applies. A font without the table permits everything.
 */
export function embeddingProblem(font: Pick<Sfnt, 'table'>): string | undefined {
  const os2 = font.table('OS/2');
  if (os2 === undefined || os2.byteLength < 10) return undefined;
  const bits = os2.getUint16(8);
  if ((bits & USAGE) === RESTRICTED) return 'its licence does not permit embedding (fsType 2)';
  if ((bits & NO_SUBSETTING) !== 0)
    return 'its licence does not permit subsetting, which every document needs';
  if ((bits & BITMAPS_ONLY) !== 0) return 'its licence permits the embedding of bitmaps only';
  return undefined;
}

const USAGE = 0x000e;
const RESTRICTED = 0x0002;
const NO_SUBSETTING = 0x0100;
const BITMAPS_ONLY = 0x0200;
