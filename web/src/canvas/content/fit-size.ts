import type { TextOverlay } from '../../../../src/fill/package/layout-schema.ts';

/**
 * The type size that `fit: shrink` comes to, near enough for the canvas: the preview shows the engine's own setting.
 * Widths come from the browser, which has the same faces.
 */
export type Measure = (text: string) => number;

type FitRules = Pick<TextOverlay, 'width' | 'height' | 'size' | 'min_size' | 'line_height' | 'wrap' | 'fit'>;
const STEP = 0.5;

/** `measure` gives widths at size 1. */
export function fitSize(text: string, rules: FitRules, measure: Measure): number {
  if (rules.fit !== 'shrink') return rules.size;
  const lines = text.split('\n');
  const height = (count: number) => 1 + (count - 1) * rules.line_height;
  if (!rules.wrap) {
    const widest = Math.max(...lines.map(measure), 0);
    const most = Math.min(
      widest > 0 ? rules.width / widest : rules.size,
      rules.height / height(lines.length),
    );
    return Math.max(Math.min(rules.min_size, rules.size), Math.min(rules.size, most));
  }
  for (let size = rules.size; size > rules.min_size; size -= STEP) {
    if (height(countLines(lines, rules.width / size, measure)) * size <= rules.height) return size;
  }
  return Math.min(rules.min_size, rules.size);
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
    }
  }
  return count;
}
