import type { ModuleGrid } from './module-grid.ts';

/** A linear symbol as BWIPP describes it. */
export interface LinearSymbol {
  /** Widths in modules, alternating: bar, space, bar, … */
  readonly sbs: readonly number[];
  /** Height of each bar, and the height of its foot above the baseline. */
  readonly bhs: readonly number[];
  readonly bbs: readonly number[];
}

/** Bars of postal codes have fractional widths and heights: they are drawn on a finer grid. */
const FINE = 1000;

export function barsGrid({ sbs, bhs, bbs }: LinearSymbol, quiet: number): ModuleGrid {
  const unit = sbs.every(Number.isInteger) ? 1 : FINE;
  const top = bhs.reduce((highest, height, bar) => Math.max(highest, height + (bbs[bar] ?? 0)), 0);
  const level = bhs.every((height, bar) => height === top && (bbs[bar] ?? 0) === 0);
  const tall = level ? 1 : FINE;
  const rectangles: number[] = [];
  let x = quiet;
  sbs.forEach((width, index) => {
    const bar = index >> 1;
    const height = bhs[bar];
    if (index % 2 === 0 && width > 0 && height !== undefined) {
      const foot = bbs[bar] ?? 0;
      const upper = Math.round(((top - foot - height) / top) * tall);
      const lower = Math.round(((top - foot) / top) * tall);
      const left = Math.round(x * unit);
      rectangles.push(left, upper, Math.round((x + width) * unit) - left, lower - upper);
    }
    x += width;
  });
  return {
    width: Math.round((x + quiet) * unit),
    height: tall,
    rectangles,
    square: false,
    modules: rectangles.length / 4,
  };
}
