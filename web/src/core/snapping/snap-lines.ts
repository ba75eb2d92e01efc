import type { Rect } from '../geometry/rect.ts';

/**
 * Lines that a moving box can snap to. Edges snap to edges, centres to centres and baselines to baselines; mixing them would
 * snap too often.
 */
export type SnapRole = 'edge' | 'centre' | 'baseline';

export interface SnapLine {
  readonly at: number;
  readonly role: SnapRole;
  /**
   * The owner of the line. At equal distance a guide wins over an overlay's line, that over the page's, and the page's over the
   * template's.
   */
  readonly of: 'guide' | 'overlay' | 'page' | 'template';
  /** Its extent along the other axis, for drawing. */
  readonly from: number;
  readonly to: number;
}

export interface SnapTargets {
  /** Vertical lines: `at` is an x. */
  readonly x: readonly SnapLine[];
  readonly y: readonly SnapLine[];
  /** Other boxes, for equal gaps. */
  readonly boxes: readonly Rect[];
}

export const NO_TARGETS: SnapTargets = { x: [], y: [], boxes: [] };

export function targetsOfPage({
  width,
  height,
}: {
  readonly width: number;
  readonly height: number;
}): SnapTargets {
  const line = (at: number, role: SnapRole, to: number): SnapLine => ({ at, role, of: 'page', from: 0, to });
  return {
    x: [line(0, 'edge', height), line(width / 2, 'centre', height), line(width, 'edge', height)],
    y: [line(0, 'edge', width), line(height / 2, 'centre', width), line(height, 'edge', width)],
    boxes: [],
  };
}

export function targetsOfBoxes(boxes: readonly Rect[]): SnapTargets {
  return {
    x: boxes.flatMap(({ x, y, width, height }) => threeLines(x, width, y, y + height, 'overlay')),
    y: boxes.flatMap(({ x, y, width, height }) => threeLines(y, height, x, x + width, 'overlay')),
    boxes,
  };
}

/** The lines of a printed box. A mark is centred in its box, whatever its size. */
export function targetsOfPrintedBox(box: Rect | null, centreOnly: boolean): SnapTargets {
  if (box === null) return NO_TARGETS;
  const { x, y, width, height } = box;
  const wanted = ({ role }: SnapLine) => !centreOnly || role === 'centre';
  return {
    x: threeLines(x, width, y, y + height, 'template').filter(wanted),
    y: threeLines(y, height, x, x + width, 'template').filter(wanted),
    boxes: [],
  };
}

function threeLines(start: number, extent: number, from: number, to: number, of: SnapLine['of']): SnapLine[] {
  const line = (at: number, role: SnapRole): SnapLine => ({ at, role, of, from, to });
  return [line(start, 'edge'), line(start + extent / 2, 'centre'), line(start + extent, 'edge')];
}

export function joinTargets(...all: readonly SnapTargets[]): SnapTargets {
  return {
    x: all.flatMap(({ x }) => x),
    y: all.flatMap(({ y }) => y),
    boxes: all.flatMap(({ boxes }) => boxes),
  };
}
