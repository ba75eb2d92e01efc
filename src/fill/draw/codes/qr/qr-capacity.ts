/**
 * The division of a QR symbol's codewords (ISO/IEC 18004, 7.5.1 and table 9). The data is split into blocks, each with the
 * same number of error correction codewords. If it does not divide evenly, the last blocks have one more.
 */
export const LEVELS = ['L', 'M', 'Q', 'H'] as const;
export type QrLevel = (typeof LEVELS)[number];

export const LARGEST_VERSION = 40;
export const LARGEST_SIZE = sizeOf(LARGEST_VERSION);

/** Modules along a side. */
export function sizeOf(version: number): number {
  return 17 + 4 * version;
}

export interface QrBlocks {
  readonly dataCodewords: number;
  readonly blocks: number;
  /** Number of blocks with `shortLength` codewords of data. They come first; the others have one more. */
  readonly shortBlocks: number;
  readonly shortLength: number;
  /** Error correction codewords of each block. */
  readonly correction: number;
}

/** For each level, from version 1: error correction codewords of a block. */
const CORRECTION: Readonly<Record<QrLevel, readonly number[]>> = {
  L: [
    7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
  M: [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  ],
  Q: [
    13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30, 30, 28,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
  H: [
    17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30, 30, 30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
};

/** For each level, from version 1: number of blocks. */
const BLOCKS: Readonly<Record<QrLevel, readonly number[]>> = {
  L: [
    1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17,
    18, 19, 19, 20, 21, 22, 24, 25,
  ],
  M: [
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29,
    31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
  ],
  Q: [
    1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34, 35, 38,
    40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
  ],
  H: [
    1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40, 42, 45,
    48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
  ],
};

const TABLE: Readonly<Record<QrLevel, readonly QrBlocks[]>> = {
  L: tableOf('L'),
  M: tableOf('M'),
  Q: tableOf('Q'),
  H: tableOf('H'),
};

export function blocksOf(version: number, level: QrLevel): QrBlocks {
  const blocks = TABLE[level][version - 1];
  if (blocks === undefined) throw new Error(`bug: there is no QR version ${version}`);
  return blocks;
}

function tableOf(level: QrLevel): QrBlocks[] {
  return CORRECTION[level].map((correction, index) => {
    const blocks = BLOCKS[level][index] as number;
    const all = Math.floor(dataModules(index + 1) / 8);
    const dataCodewords = all - correction * blocks;
    const shortBlocks = blocks - (all % blocks);
    return {
      dataCodewords,
      blocks,
      shortBlocks,
      shortLength: Math.floor(dataCodewords / blocks),
      correction,
    };
  });
}

/** Number of modules without the fixed patterns and the format and version information. */
function dataModules(version: number): number {
  const size = sizeOf(version);
  const finders = 3 * 64;
  const timing = 2 * (size - 16);
  const format = 31; // twice fifteen bits and the dark module
  const along = alignmentCentres(version).length;
  // The finder corners have none, and those on a timing line share five modules with it.
  const alignment = along === 0 ? 0 : 25 * (along * along - 3) - 2 * 5 * (along - 2);
  const versionInfo = version < 7 ? 0 : 36;
  return size * size - finders - timing - format - alignment - versionInfo;
}

/** Positions of the centres of alignment patterns, along either side (annex E): in even steps from the far end. */
export function alignmentCentres(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const last = sizeOf(version) - 7;
  // Version 32 is the only exception in the table.
  const step = version === 32 ? 26 : Math.ceil((last - 6) / (count - 1) / 2) * 2;
  const centres = Array.from({ length: count - 1 }, (_, index) => last - index * step);
  return [6, ...centres.reverse()];
}
