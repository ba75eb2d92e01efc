import type { Point, Rect } from '../geometry/rect.ts';

/**
 * All pages below each other, centred, in points: the scrolled surface. Zooming scales the whole surface, so its
 * coordinates do not depend on the zoom.
 */
export interface PlacedPage extends Rect {
  /** From 1. */
  readonly number: number;
}

export interface PageColumn {
  readonly pages: readonly PlacedPage[];
  readonly width: number;
  readonly height: number;
}

const GAP = 18;
const MARGIN = 30;

export function placePages(
  sizes: readonly { readonly width: number; readonly height: number }[],
): PageColumn {
  const widest = sizes.reduce((most, { width }) => Math.max(most, width), 0);
  let y = MARGIN;
  const pages = sizes.map(({ width, height }, index) => {
    const page = { number: index + 1, x: MARGIN + (widest - width) / 2, y, width, height };
    y += height + GAP;
    return page;
  });
  return { pages, width: widest + 2 * MARGIN, height: y - GAP + MARGIN };
}

export function findPage(column: PageColumn, number: number): PlacedPage | undefined {
  return column.pages[number - 1];
}

/** The page at a height of the column, or the nearest one; by bisection, because there may be thousands. */
export function pageAtHeight(column: PageColumn, y: number): PlacedPage | undefined {
  const { pages } = column;
  let low = 0;
  let high = pages.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const page = pages[middle];
    if (page !== undefined && page.y + page.height + GAP / 2 < y) low = middle + 1;
    else high = middle;
  }
  return pages[low];
}

/** Numbers of the first and last page that intersect the heights from `top` to `bottom`. */
export function pagesBetween(column: PageColumn, top: number, bottom: number): readonly [number, number] {
  return [pageAtHeight(column, top)?.number ?? 1, pageAtHeight(column, bottom)?.number ?? 0];
}

export const toPage = (page: PlacedPage, { x, y }: Point): Point => ({ x: x - page.x, y: y - page.y });
export const toColumn = (page: PlacedPage, { x, y }: Point): Point => ({ x: x + page.x, y: y + page.y });
