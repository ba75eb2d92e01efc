import { overlapOf, type Rect } from '../geometry/rect.ts';
import type { PageMarks } from '../page-content/read-marks.ts';
import type { TextRun } from './text-runs.ts';

/** Printed things that a field must not cover: text, and text that was turned into outlines. */
const LARGEST_OUTLINE = 40;

export class Ink {
  readonly #rows = new Map<number, Rect[]>();
  static readonly #BAND = 20;

  constructor(runs: readonly TextRun[], marks: PageMarks) {
    // The part of a line of text that has ink: capitals down to the baseline, with a little below.
    for (const run of runs)
      this.#add({ x: run.x, y: run.baseline - 0.7 * run.size, width: run.width, height: 0.85 * run.size });
    for (const shape of marks.shapes)
      if (
        !shape.rectangular &&
        shape.filled &&
        shape.lightness < 0.9 &&
        shape.width <= LARGEST_OUTLINE &&
        shape.height <= LARGEST_OUTLINE
      )
        this.#add(shape);
  }

  #add(rect: Rect): void {
    for (const band of bandsOf(rect, Ink.#BAND)) {
      const row = this.#rows.get(band);
      if (row === undefined) this.#rows.set(band, [rect]);
      else row.push(rect);
    }
  }

  /** The printed things that overlap a rectangle by more than `slack` points on both axes. */
  within(rect: Rect, slack = 0.5): Rect[] {
    const found = new Set<Rect>();
    for (const band of bandsOf(rect, Ink.#BAND))
      for (const ink of this.#rows.get(band) ?? []) {
        const { x, y } = overlapOf(ink, rect);
        if (x > Math.min(slack, ink.width / 2) && y > Math.min(slack, ink.height / 2)) found.add(ink);
      }
    return [...found].sort((a, b) => a.x - b.x || a.y - b.y);
  }
}

function bandsOf({ y, height }: Rect, band: number): number[] {
  const [first, last] = [Math.floor(y / band), Math.floor((y + height) / band)];
  return Array.from({ length: Math.min(200, last - first + 1) }, (_, index) => first + index);
}
