import type { TextOverlay } from '#fill/kinds/text/schema.ts';

/**
 * Computes the type size of `fit: shrink` closely enough for the canvas; the preview shows the engine's exact size. Widths
 * come from the browser, which has the same fonts.
 */
export type Measure = (text: string) => number;

type FitRules = Pick<TextOverlay, 'width' | 'height' | 'size' | 'min_size' | 'line_height' | 'wrap' | 'fit'>;
const STEP = 0.1;

export interface FittedBox {
  readonly size: number;
  /** Whether the lines are higher than the box; the engine then starts at the top (src/fill/draw/text/set-text.ts). */
  readonly tooHigh: boolean;
}

/** `measure` returns widths at size 1. */
export function fitBox(text: string, rules: FitRules, measure: Measure): FittedBox {
  const size = fitSize(text, rules, measure);
  const lines = text.split('\n');
  const wraps = rules.wrap || rules.fit === 'wrap';
  const count = wraps ? countLines(lines, rules.width / size, measure) : lines.length;
  return { size, tooHigh: heightOf(count, rules) * size > rules.height + TOLERANCE };
}

const TOLERANCE = 1e-4;
/** The height of the lines' em boxes at size 1. */
const heightOf = (count: number, rules: FitRules) => 1 + (count - 1) * rules.line_height;

function fitSize(text: string, rules: FitRules, measure: Measure): number {
  if (rules.fit !== 'shrink') return rules.size;
  const lines = text.split('\n');
  const height = (count: number) => heightOf(count, rules);
  if (!rules.wrap) {
    const widest = Math.max(...lines.map(measure), 0);
    const most = Math.min(
      widest > 0 ? rules.width / widest : rules.size,
      rules.height / height(lines.length),
    );
    return Math.max(Math.min(rules.min_size, rules.size), Math.min(rules.size, most));
  }
  const words = lines.flatMap((line) => line.split(' '));
  const longest = Math.max(...words.map(measure), 0);
  const fits = (size: number) =>
    height(countLines(lines, rules.width / size, measure)) * size <= rules.height + TOLERANCE;
  const isWhole = (size: number) => longest * size <= rules.width + TOLERANCE;
  if (fits(rules.size) && isWhole(rules.size)) return rules.size;
  let low = Math.ceil(Math.min(rules.min_size, rules.size) / STEP);
  let high = Math.floor(rules.size / STEP);
  let best: number | undefined;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if (fits(middle * STEP) && isWhole(middle * STEP)) {
      best = middle * STEP;
      low = middle + 1;
    } else high = middle - 1;
  }
  // A word longer than a line at every size is broken, so the type need not be smaller.
  return best ?? (fits(rules.size) ? rules.size : Math.min(rules.min_size, rules.size));
}

function countLines(paragraphs: readonly string[], width: number, measure: Measure): number {
  let count = 0;
  for (const paragraph of paragraphs) {
    count += 1;
    let line = '';
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && measure(longer) > width) {
        count += 1;
        line = word;
      } else line = longer;
      // A word longer than a line is broken across lines.
      if (line === word) count += Math.max(0, Math.ceil(measure(word) / width) - 1);
    }
  }
  return count;
}
