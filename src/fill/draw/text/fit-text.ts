import { breakLines } from './line-breaking.ts';
import type { Paragraph } from './paragraph.ts';

/**
 * Decides type size and line breaks for a text in its box.
 *   shrink  the type gets smaller, down to `minSize`, until the text fits; with `wrap` lines break as well
 *   wrap    lines break at the box's width, the size stays
 *   clip    neither; text outside the box is cut
 * A text fits in height when its lines' em boxes do: one 12 pt line fits a box of 12 pt.
 */
export interface FitRules {
  readonly width: number;
  readonly height: number;
  readonly size: number;
  readonly minSize: number;
  readonly lineHeight: number;
  readonly wrap: boolean;
  readonly fit: 'shrink' | 'wrap' | 'clip';
}

interface FittedLine {
  readonly paragraph: Paragraph;
  readonly from: number;
  readonly to: number;
}

export interface FittedText {
  readonly size: number;
  readonly lines: readonly FittedLine[];
  /** Part of the text is outside the box. */
  readonly overflows: boolean;
  /** The lines are higher than the box. */
  readonly tooHigh: boolean;
}

/** A rounding error of 0.0001 points is not an overflow. */
export const TOLERANCE = 1e-4;

export function fitText(paragraphs: readonly Paragraph[], rules: FitRules): FittedText {
  if (rules.wrap || rules.fit === 'wrap') return fitWrapped(paragraphs, rules);
  const lines = paragraphs.map((paragraph) => ({ paragraph, from: 0, to: paragraph.length }));
  let widest = 0;
  for (const { width } of paragraphs) if (width > widest) widest = width;
  const tallness = 1 + (paragraphs.length - 1) * rules.lineHeight;
  const at = (size: number): FittedText => {
    const tooHigh = tallness * size > rules.height + TOLERANCE;
    return { size, lines, tooHigh, overflows: tooHigh || (widest * size) / 1000 > rules.width + TOLERANCE };
  };
  const natural = at(rules.size);
  if (!natural.overflows || rules.fit === 'clip') return natural;
  const largest = Math.min(widest > 0 ? (rules.width * 1000) / widest : rules.size, rules.height / tallness);
  return at(shrunk(largest, rules));
}

/**
 * The size at which one line of this width fits, or undefined if none does. `fitText` chooses the same size. If lines wrap,
 * only the full size counts, because a smaller size may have several lines.
 */
export function lineSize(width: number, rules: FitRules): number | undefined {
  const fits = (size: number) =>
    (width * size) / 1000 <= rules.width + TOLERANCE && size <= rules.height + TOLERANCE;
  if (rules.wrap || rules.fit === 'wrap') {
    const isOneLine = width <= lineLimit(rules, rules.size) && rules.size <= rules.height + TOLERANCE;
    return isOneLine ? rules.size : undefined;
  }
  if (fits(rules.size)) return rules.size;
  if (rules.fit === 'clip') return undefined;
  const size = shrunk(Math.min(width > 0 ? (rules.width * 1000) / width : rules.size, rules.height), rules);
  return fits(size) ? size : undefined;
}

function fitWrapped(paragraphs: readonly Paragraph[], rules: FitRules): FittedText {
  const at = (size: number) => wrapAt(paragraphs, rules, size);
  const natural = at(rules.size);
  if (rules.fit !== 'shrink' || (natural.fits && !natural.cut)) return asFitted(natural, rules.size);
  // The largest size, in tenths of a point, at which all lines fit and no word is cut: found by bisection.
  let low = Math.ceil(Math.min(rules.minSize, rules.size) * 10);
  let high = Math.floor(rules.size * 10);
  let best: { readonly size: number; readonly wrapped: Wrapped } | undefined;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const wrapped = at(middle / 10);
    if (wrapped.fits && !wrapped.cut) {
      best = { size: middle / 10, wrapped };
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  if (best !== undefined) return asFitted(best.wrapped, best.size);
  if (natural.fits) return asFitted(natural, rules.size); // a word must be cut anyway, so keep the full size
  const smallest = Math.min(rules.minSize, rules.size);
  return asFitted(at(smallest), smallest);
}

interface Wrapped {
  readonly lines: readonly FittedLine[];
  readonly fits: boolean;
  readonly cut: boolean;
}

const asFitted = ({ lines, fits }: Wrapped, size: number): FittedText => ({
  size,
  lines,
  overflows: !fits,
  tooHigh: !fits,
});

function wrapAt(paragraphs: readonly Paragraph[], rules: FitRules, size: number): Wrapped {
  const limit = lineLimit(rules, size);
  const lines: FittedLine[] = [];
  let cut = false;
  for (const paragraph of paragraphs) {
    const broken = breakLines(paragraph, limit);
    cut ||= broken.cut;
    for (const { from, to } of broken.lines) lines.push({ paragraph, from, to });
  }
  const tallness = 1 + (lines.length - 1) * rules.lineHeight;
  return { lines, cut, fits: tallness * size <= rules.height + TOLERANCE };
}

/** The longest line that wrapping allows, in thousandths of the em. */
const lineLimit = (rules: FitRules, size: number) => ((rules.width + TOLERANCE) * 1000) / size;

/** Rounds down to hundredths of a point, but never below the minimum size. */
function shrunk(largest: number, { size, minSize }: FitRules): number {
  const floor = Math.min(minSize, size);
  return Math.max(floor, Math.min(size, Math.floor(largest * 100) / 100));
}
