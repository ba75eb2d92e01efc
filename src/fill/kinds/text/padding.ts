import type { Frame } from '#fill/draw/display-list.ts';
import { frameOf } from '#fill/draw/frame.ts';
import type { MemberProblem } from '../overlay-kind.ts';

/** A box of text as padding sees it. */
interface PaddedBox {
  readonly width: number;
  readonly height: number;
  readonly padding: number;
  /** The cells of a comb divide the whole width, so it has no padding at its sides. */
  readonly comb?: number | undefined;
}

/** The smallest extent that a layout allows a box to have. Padding never leaves less. */
const LEAST_EXTENT = 0.1;

const inside = (extent: number, padding: number) => Math.max(LEAST_EXTENT, extent - 2 * padding);

/** The size of the area that text may use. */
export function paddedSize({ width, height, padding, comb }: PaddedBox): { width: number; height: number } {
  if (padding === 0) return { width, height };
  return { width: comb === undefined ? inside(width, padding) : width, height: inside(height, padding) };
}

/** The area that text may use, as a frame. It has the same centre as the box, so rotation turns both alike. */
export function paddedFrame(box: Frame & PaddedBox): Frame {
  const frame = frameOf(box);
  if (box.padding === 0) return frame;
  const { width, height } = paddedSize(box);
  return {
    ...frame,
    x: box.x + (box.width - width) / 2,
    y: box.y + (box.height - height) / 2,
    width,
    height,
  };
}

/** The mistake of a padding that leaves no room for text: every row with a value would report clipped text. */
export function paddingProblem({ width, height, padding, comb }: PaddedBox): MemberProblem | undefined {
  if (2 * padding < (comb === undefined ? Math.min(width, height) : height)) return undefined;
  const message = `a padding of ${padding} pt leaves no room for text in a box of ${width} × ${height} pt`;
  return { member: 'padding', message };
}
