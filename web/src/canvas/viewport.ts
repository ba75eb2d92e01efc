import type { Point, Rect } from '../core/geometry/rect.ts';
import { findPage, type PageColumn, placePages } from '../core/pages/page-column.ts';
import { clampScale, fitScale } from '../core/pages/zoom.ts';
import { useEditor } from '../editor/editor-store.ts';
import { useCanvas } from './canvas-store.ts';

/**
 * The viewport of the page column. The scale is a custom property (`--z`) that multiplies every length on the canvas, so
 * zooming re-renders nothing: the property is set, the scroll position corrected in the same task, and then the store
 * updated.
 */
interface Elements {
  /** The scrolling element. */
  readonly scroller: HTMLElement;
  /** The column of pages inside it. */
  readonly column: HTMLElement;
}

let elements: Elements | null = null;

export function attachViewport(next: Elements): () => void {
  elements = next;
  applyScale(useCanvas.getState().scale);
  const { scroller } = next;
  let size = { width: scroller.offsetWidth, height: scroller.offsetHeight };
  // A panel opens, or the window rotates. Uses the outer size, because a scrollbar that the new scale adds must not count.
  const watch = new ResizeObserver(() => {
    const { offsetWidth: width, offsetHeight: height } = scroller;
    if (width === size.width && height === size.height) return;
    size = { width, height };
    if (fitted !== null) zoomToFit(fitted);
  });
  watch.observe(scroller);
  return () => {
    watch.disconnect();
    elements = null;
  };
}

const columns = new WeakMap<readonly object[], PageColumn>();
const NO_PAGES: PageColumn = placePages([]);

/** The pages of the open project. */
export function pageColumn(): PageColumn {
  const pages = useEditor.getState().project?.source.pages;
  if (pages === undefined) return NO_PAGES;
  const known = columns.get(pages) ?? placePages(pages);
  columns.set(pages, known);
  return known;
}

function applyScale(scale: number): void {
  elements?.scroller.style.setProperty('--z', String(scale));
}

/** Converts pixels of the window to points of the column. */
export function toColumnPoint(client: Point): Point {
  const box = elements?.column.getBoundingClientRect();
  const { scale } = useCanvas.getState();
  return { x: (client.x - (box?.left ?? 0)) / scale, y: (client.y - (box?.top ?? 0)) / scale };
}

/** The visible area, in points of the column. */
export function visiblePart(): Rect {
  if (elements === null) return { x: 0, y: 0, width: 0, height: 0 };
  const view = elements.scroller.getBoundingClientRect();
  const { scale } = useCanvas.getState();
  const { x, y } = toColumnPoint({ x: view.left, y: view.top });
  return {
    x,
    y,
    width: elements.scroller.clientWidth / scale,
    height: elements.scroller.clientHeight / scale,
  };
}

/** What the scale is fitted to. It is refitted when the view is resized, until the user zooms. */
let fitted: 'page' | 'width' | null = null;

/** Zooms so that the point at `anchor` (pixels of the window; by default the middle of the view) stays in place. */
export function zoomTo(wanted: number, anchor?: Point): void {
  fitted = null;
  setScale(wanted, anchor);
}

function setScale(wanted: number, anchor?: Point): void {
  const scale = clampScale(wanted);
  if (elements === null) {
    useCanvas.setState({ scale });
    return;
  }
  const { scroller, column } = elements;
  const view = scroller.getBoundingClientRect();
  const fixed = anchor ?? { x: view.left + view.width / 2, y: view.top + view.height / 2 };
  const place = toColumnPoint(fixed);
  applyScale(scale);
  const box = column.getBoundingClientRect();
  scroller.scrollLeft += box.left + place.x * scale - fixed.x;
  scroller.scrollTop += box.top + place.y * scale - fixed.y;
  useCanvas.setState({ scale });
}

export function zoomToFit(what: 'page' | 'width'): void {
  const { page } = useEditor.getState();
  const sheet = findPage(pageColumn(), page);
  if (elements === null || sheet === undefined) return;
  const { clientWidth: width, clientHeight: height } = elements.scroller;
  fitted = what;
  setScale(fitScale(sheet, { width, height }, what));
  scrollToPage(page);
}

export function scrollToPage(number: number): void {
  const column = pageColumn();
  const sheet = findPage(column, number);
  if (elements === null || sheet === undefined) return;
  const { scale } = useCanvas.getState();
  const { scroller } = elements;
  const room = scroller.clientHeight - sheet.height * scale;
  scroller.scrollTop = sheet.y * scale - Math.max(16, room / 2);
  // Uses the column's width: right after a change of scale, `scrollWidth` is still the old one.
  scroller.scrollLeft = Math.max(0, column.width * scale - scroller.clientWidth) / 2;
}

/** Whether a point of the window lies above or to the left of the scrolled pages, where the rulers are. */
export function isOverRuler({ x, y }: Point): boolean {
  const view = elements?.scroller.getBoundingClientRect();
  return view !== undefined && (x < view.left || y < view.top);
}

export function scrollBy({ x, y }: Point): void {
  elements?.scroller.scrollBy(x, y);
}

/** Scrolls a box of a page into view if it is not visible. */
export function reveal(page: number, box: Rect): void {
  const sheet = findPage(pageColumn(), page);
  if (elements === null || sheet === undefined) return;
  const view = visiblePart();
  const { scale } = useCanvas.getState();
  const at = { x: sheet.x + box.x, y: sheet.y + box.y };
  const margin = 24 / scale;
  const needed = (from: number, extent: number, start: number, room: number) =>
    from < start + margin
      ? from - margin - start
      : from + extent > start + room - margin
        ? Math.min(from + extent + margin - start - room, from - margin - start)
        : 0;
  scrollBy({
    x: needed(at.x, box.width, view.x, view.width) * scale,
    y: needed(at.y, box.height, view.y, view.height) * scale,
  });
}

/** Returns the page that fills most of the view, and the centre of its visible part in points of the page. */
export function visibleCentre(): { readonly page: number; readonly point: Point } | null {
  const view = visiblePart();
  const { page: current } = useEditor.getState();
  const sheet = findPage(pageColumn(), current);
  if (sheet === undefined) return null;
  const middle = (start: number, extent: number, from: number, room: number) => {
    const low = Math.max(start, from);
    const high = Math.min(start + extent, from + room);
    return (high > low ? (low + high) / 2 : start + extent / 2) - start;
  };
  return {
    page: sheet.number,
    point: {
      x: middle(sheet.x, sheet.width, view.x, view.width),
      y: middle(sheet.y, sheet.height, view.y, view.height),
    },
  };
}
