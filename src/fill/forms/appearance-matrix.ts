import { exactPdfNumber } from '../write/pdf-number.ts';
import type { WidgetRect } from './widget-look.ts';

type Matrix = readonly [number, number, number, number, number, number];

/**
 * Returns the matrix that fits an appearance stream's BBox, transformed by the stream's own matrix, into the annotation's
 * rectangle (ISO 32000-2 §12.5.5, algorithm 8.1), as operands of `cm`. `Do` applies the stream's own matrix.
 */
export function appearanceMatrix(
  bbox: readonly number[] | null,
  matrix: readonly number[] | null,
  rect: WidgetRect,
): string {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = bbox ?? [];
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Partial<Matrix> =
    matrix?.length === 6 ? (matrix as unknown as Matrix) : [1, 0, 0, 1, 0, 0];
  const corners = [
    [x0, y0],
    [x1, y0],
    [x0, y1],
    [x1, y1],
  ].map(([x = 0, y = 0]) => [a * x + c * y + e, b * x + d * y + f] as const);
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const left = Math.min(...xs);
  const bottom = Math.min(...ys);
  const width = Math.max(...xs) - left;
  const height = Math.max(...ys) - bottom;
  const scaleX = width === 0 ? 1 : (rect.right - rect.left) / width;
  const scaleY = height === 0 ? 1 : (rect.top - rect.bottom) / height;
  return [scaleX, 0, 0, scaleY, rect.left - left * scaleX, rect.bottom - bottom * scaleY]
    .map(exactPdfNumber)
    .join(' ');
}
