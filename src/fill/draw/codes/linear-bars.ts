import type { ModuleGrid } from './module-grid.ts';

/** A linear symbol as BWIPP describes it. */
export interface LinearSymbol {
  /** Widths in modules, alternating: bar, space, bar, … */
  readonly sbs: readonly number[];
  /** Height of each bar, and of its lower end above the baseline. Guard bars reach below the baseline. */
  readonly bhs: readonly number[];
  readonly bbs: readonly number[];
}

/** The content of the box besides the bars. */
export interface BarsLook {
  /** White margin on both sides, in modules. */
  readonly quiet: number;
  /** Thickness of a black frame around quiet zone and bars (ITF-14), in modules; 0 for none. */
  readonly bearer: number;
  /** The lower share of the box that is reserved for the text. */
  readonly textShare: number;
  /** Whether guard bars extend between the groups of the text. */
  readonly hasGuards: boolean;
  /** Width of the box divided by its height: all sides of a frame are equally thick. */
  readonly aspect: number;
  /** Measured from bar to bar instead of by the width of a bar. */
  readonly isPostal: boolean;
}

/** Bars of postal codes have fractional widths and heights: they are drawn on a finer grid. */
const FINE = 1000;
/** Guard bars of EAN and UPC reach five modules below the others (GS1 General Specifications, section 5.2). */
const GUARD_MODULES = 5;

export function barsGrid({ sbs: elements, bhs, bbs }: LinearSymbol, look: BarsLook): ModuleGrid {
  // A space after the last bar would make the quiet zone wider on one side.
  const sbs = elements.length % 2 === 0 ? elements.slice(0, -1) : elements;
  const { quiet, bearer, textShare, aspect } = look;
  const unit = sbs.every(Number.isInteger) ? 1 : FINE;
  const modules = sbs.reduce((sum, width) => sum + width, 0) + 2 * (quiet + bearer);
  const top = bhs.reduce((highest, height, bar) => Math.max(highest, height + (bbs[bar] ?? 0)), 0);
  const level = bhs.every((height, bar) => height === top && (bbs[bar] ?? 0) === 0);
  const tall = level && bearer === 0 && textShare === 0 ? 1 : FINE;
  const moduleDown = (tall * aspect) / modules;
  const foot = Math.round(tall * (1 - textShare));
  const thick = Math.min(Math.round(bearer * moduleDown), Math.floor(foot / 5));
  const guard = look.hasGuards ? Math.min(GUARD_MODULES * moduleDown, (tall - foot) / 2) : 0;
  const across = (share: number) => Math.round(thick + share * (foot - 2 * thick));
  const rectangles: number[] = [];
  let x = bearer + quiet;
  sbs.forEach((width, index) => {
    const bar = index >> 1;
    const height = bhs[bar];
    if (index % 2 === 0 && width > 0 && height !== undefined) {
      const base = bbs[bar] ?? 0;
      const upper = across((top - base - height) / top);
      const lower = base < 0 ? Math.round(foot + guard) : across((top - base) / top);
      const left = Math.round(x * unit);
      rectangles.push(left, upper, Math.round((x + width) * unit) - left, lower - upper);
    }
    x += width;
  });
  const width = Math.round(modules * unit);
  if (bearer > 0) rectangles.push(...frame(width, foot, bearer * unit, thick));
  return {
    width,
    height: tall,
    rectangles,
    square: false,
    module: look.isPostal ? ((sbs[0] ?? 0) + (sbs[1] ?? 0)) * unit : unit,
    modules: rectangles.length / 4,
  };
}

/** Four rectangles that touch and do not overlap, because overlaps would be white under the even-odd rule. */
function frame(width: number, height: number, side: number, thick: number): number[] {
  const inner = height - 2 * thick;
  return [
    ...[0, 0, width, thick],
    ...[0, height - thick, width, thick],
    ...[0, thick, side, inner],
    ...[width - side, thick, side, inner],
  ];
}
