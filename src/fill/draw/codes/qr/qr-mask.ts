import { type BitMatrix, countOnes } from './bit-matrix.ts';
import { LARGEST_SIZE } from './qr-capacity.ts';
import type { QrTemplate, Sides } from './qr-template.ts';

/**
 * Chooses a symbol's mask: the first one with the least penalty (ISO/IEC 18004, 7.8.3). Penalties are counted before the
 * format and version information is added; decoders accept every mask.
 *
 * Penalties are counted on whole words, 32 columns at a time: a line is compared with the lines below it. The same is done
 * with the columns as lines.
 */
export function chooseMask({ masks, size }: QrTemplate, unmasked: Sides): number {
  const { words } = unmasked.lines;
  let chosen = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let mask = 0; mask < masks.length; mask += 1) {
    const { lines, columns } = masks[mask] as Sides;
    combine(unmasked.lines, lines, candidateLines);
    combine(unmasked.columns, columns, candidateColumns);
    const penalty = penaltyBelow(least, candidateLines, candidateColumns, size, words);
    if (penalty < least) {
      least = penalty;
      chosen = mask;
    }
  }
  return chosen;
}

const MOST_WORDS = LARGEST_SIZE * ((LARGEST_SIZE + 31) >>> 5);
const candidateLines = new Int32Array(MOST_WORDS);
const candidateColumns = new Int32Array(MOST_WORDS);

function combine(a: BitMatrix, b: BitMatrix, out: Int32Array): void {
  for (let at = 0; at < a.bits.length; at += 1) out[at] = (a.bits[at] as number) ^ (b.bits[at] as number);
}

/** Returns the penalty if it is below `limit`, otherwise any number that is not. The most expensive rule is counted last. */
function penaltyBelow(
  limit: number,
  lines: Int32Array,
  columns: Int32Array,
  size: number,
  words: number,
): number {
  let penalty = runPenalty(lines, size, words) + runPenalty(columns, size, words);
  if (penalty >= limit) return penalty;
  penalty += boxAndBalancePenalty(lines, size, words);
  if (penalty >= limit) return penalty;
  return penalty + finderPenalty(lines, size, words) + finderPenalty(columns, size, words);
}

/** The bits of a word that belong to the symbol. */
function columnsOf(word: number, size: number): number {
  const columns = size - 32 * word;
  return columns >= 32 ? -1 : (1 << columns) - 1;
}

/** Five or more equal modules in a row: 3 points, and 1 for each beyond the fifth. */
function runPenalty(lines: Int32Array, size: number, words: number): number {
  let windows = 0;
  let runs = 0;
  for (let word = 0; word < words; word += 1) {
    const columns = columnsOf(word, size);
    let previous = lines[word] as number;
    // Whether a line equals the previous one, for this line and the three before; and whether a run of five ended above.
    let [equal1, equal2, equal3, above] = [0, 0, 0, 0];
    for (let at = word + words, end = size * words; at < end; at += words) {
      const line = lines[at] as number;
      const equal = ~(previous ^ line);
      const five = equal & equal1 & equal2 & equal3 & columns;
      if (five !== 0) {
        windows += countOnes(five);
        runs += countOnes(five & ~above);
      }
      above = five;
      equal3 = equal2;
      equal2 = equal1;
      equal1 = equal;
      previous = line;
    }
  }
  // A run of n has n − 4 windows of five.
  return windows + 2 * runs;
}

/** Boxes of two by two equal modules: 3 points each. A share of dark modules beyond 45–55 %: 10 for each 5 %. */
function boxAndBalancePenalty(lines: Int32Array, size: number, words: number): number {
  let boxes = 0;
  let dark = 0;
  const end = size * words;
  for (let word = 0; word < words; word += 1) {
    const withRight = columnsOf(word, size - 1);
    let above = 0;
    let pairsAbove = 0;
    for (let at = word; at < end; at += words) {
      const line = lines[at] as number;
      const next = word + 1 < words ? (lines[at + 1] as number) << 31 : 0;
      const pairs = ~(line ^ ((line >>> 1) | next)) & withRight;
      // Both lines have equal pairs here, and the pairs are equal to each other. There are none above the first line.
      boxes += countOnes(pairs & pairsAbove & ~(line ^ above));
      dark += countOnes(line);
      above = line;
      pairsAbove = pairs;
    }
  }
  // Times 20, so that 5 % of all modules is `all`. The bit operator truncates to an integer.
  const all = size * size;
  const steps = ((Math.abs(20 * dark - 10 * all) - 1) / all) | 0;
  return 3 * boxes + 10 * steps;
}

/** Patterns like a finder, 1:1:3:1:1 beside four light modules: 40 points for each side that has them. */
function finderPenalty(lines: Int32Array, size: number, words: number): number {
  let found = 0;
  const lastAt = size * words;
  for (let word = 0; word < words; word += 1) {
    const columns = columnsOf(word, size);
    for (let at = word; at + 6 * words < lastAt; at += words) {
      const start = (lines[at] as number) & ~(lines[at + words] as number) & columns;
      if (start === 0) continue;
      const core =
        start &
        (lines[at + 2 * words] as number) &
        (lines[at + 3 * words] as number) &
        (lines[at + 4 * words] as number) &
        ~(lines[at + 5 * words] as number) &
        (lines[at + 6 * words] as number);
      if (core === 0) continue;
      if (at >= 4 * words) found += countOnes(core & ~darkInFour(lines, at - 4 * words, words));
      if (at + 10 * words < lastAt) found += countOnes(core & ~darkInFour(lines, at + 7 * words, words));
    }
  }
  return 40 * found;
}

function darkInFour(lines: Int32Array, at: number, words: number): number {
  return (
    (lines[at] as number) |
    (lines[at + words] as number) |
    (lines[at + 2 * words] as number) |
    (lines[at + 3 * words] as number)
  );
}
