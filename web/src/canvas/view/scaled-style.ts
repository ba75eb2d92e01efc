import type { CSSProperties } from 'react';
import type { Rect } from '../../core/geometry/rect.ts';

/** Converts points to CSS lengths that follow the zoom. */
export const scaled = (points: number): string => `calc(var(--z) * ${points}px)`;

export function boxStyle({ x, y, width, height }: Rect): CSSProperties {
  return { left: scaled(x), top: scaled(y), width: scaled(width), height: scaled(height) };
}
