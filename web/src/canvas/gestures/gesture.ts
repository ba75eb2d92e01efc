import type { Layout } from '#fill/package/layout-schema.ts';
import type { Point, Rect } from '../../core/geometry/rect.ts';
import type { Unit } from '../../core/geometry/units.ts';
import type { RulerGuide } from '../../core/guides/ruler-guides.ts';
import type { RowSamples } from '../../core/overlays/new-table.ts';
import type { PageColumn } from '../../core/pages/page-column.ts';
import type { Guide } from '../../core/snapping/snap.ts';
import type { SnapTargets } from '../../core/snapping/snap-lines.ts';
import type { Handle } from '../../core/transform/resize.ts';
import type { Tool } from '../canvas-store.ts';

/** The element under the pointer when it is pressed. */
export type Target =
  | { readonly on: 'handle'; readonly handle: Handle | 'rotate' }
  | { readonly on: 'overlay'; readonly id: string }
  | { readonly on: 'ruler'; readonly axis: 'x' | 'y' }
  | { readonly on: 'guide'; readonly index: number }
  | { readonly on: 'page'; readonly page: number }
  | { readonly on: 'desk' };

export interface Pointer {
  /** In points of the page column. */
  readonly at: Point;
  /** In CSS pixels of the window. */
  readonly client: Point;
  readonly shift: boolean;
  readonly alt: boolean;
  /** The middle button, or the left one while Space is down. */
  readonly pans: boolean;
}

/**
 * One state of the pointer. A state returns the next state for every event, itself or another; all gestures end in `idle`.
 * Nothing is committed before `up`, so `cancel` only discards the draft.
 */
export interface Gesture {
  readonly name: string;
  down?(pointer: Pointer, target: Target): Gesture;
  move?(pointer: Pointer): Gesture;
  up?(pointer: Pointer): Gesture;
  cancel(): Gesture;
}

/** The interface that states use. The canvas provides it, and tests provide their own. */
export interface GestureHost {
  layout(): Layout;
  selection(): readonly string[];
  isLocked(id: string): boolean;
  column(): PageColumn;
  scale(): number;
  tool(): Tool;
  /** Snap lines of the page, without those of the overlays that move. */
  snapTargets(page: number, moving: readonly string[]): SnapTargets;
  /**
   * Lines that win over nearer ones: the page's guides, and those of the printed box at a point of the page, of which a mark
   * uses only the centre.
   */
  preferredTargets(page: number, point: Point, centreOnly?: boolean): SnapTargets;
  /** The printed box for a mark at the point, or at most `slack` points beside it. */
  tickBox(page: number, point: Point, slack: number): Rect | null;
  /** What a new table starts from. */
  rowSamples(): RowSamples;
  select(ids: readonly string[]): void;
  draft(layout: Layout | null): void;
  change(label: string, update: (layout: Layout) => Layout, selection?: readonly string[]): void;
  showGuides(page: number, guides: readonly Guide[]): void;
  showMarquee(marquee: Rect | null): void;
  scrollBy(pixels: Point): void;
  guides(): readonly RulerGuide[];
  setGuides(guides: readonly RulerGuide[]): void;
  unit(): Unit;
  /** Whether a point of the window lies over a ruler. */
  isOverRuler(client: Point): boolean;
  focusGuide(index: number): void;
  finishTool(): void;
  focusOverlay(id: string): void;
}

/** Maximum distance in pixels at which a moving edge snaps to a line. */
const SNAP_PIXELS = 6;
/** Maximum movement in pixels for a press to count as a click. */
export const CLICK_PIXELS = 3;

export const snapTolerance = (host: GestureHost): number => SNAP_PIXELS / host.scale();
