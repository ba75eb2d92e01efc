import type { TextRun } from '../display-list.ts';

/** A text without line ends, measured in thousandths of the em. */
export interface Paragraph {
  /** Natural width on one line. */
  readonly width: number;
  /** UTF-16 length. */
  readonly length: number;
  /** Its lines start at the right (UAX #9, P2 and P3). */
  readonly rightToLeft: boolean;
  /** Measures for line breaking, computed on first use. */
  breaks(): BreakTable;
  /** The characters from `from` up to `to` as one line, in visual order, without trailing spaces. */
  line(from: number, to: number): { readonly runs: readonly TextRun[]; readonly width: number };
}

/** One entry per UTF-16 unit. */
export interface BreakTable {
  /** The first unit of a cluster has its whole advance. */
  readonly advances: Uint32Array;
  readonly marks: Uint8Array;
  /** Advance of the hyphen that a line shows when it ends at a soft hyphen. */
  readonly hyphen: number;
}

/** The unit is a space: it may cross the edge, and it is dropped at the end of a line. */
export const SPACE = 1;
/** A line may end after this unit. */
export const BREAK_AFTER = 2;
/** A cluster ends here: a word too long for any line may be cut. */
export const CUT_AFTER = 4;
/** The unit is a soft hyphen: a line that ends after it needs space for a hyphen. */
export const SOFT_HYPHEN = 8;
