import { encodeQR } from 'qr';
import type { ModuleGrid } from './module-grid.ts';

/**
 * QR codes (ISO/IEC 18004). The quiet zone of four modules (§5.3.8) is part of the grid, so a code put over a
 * page's own text still scans.
 *
 * The three finder patterns never change: each is three nested squares under the even-odd rule instead of fifteen
 * runs. The rest is merged row by row straight from the encoder's matrix.
 */
export const QR_QUIET_ZONE = 4;
const ENCODER_BORDER = 1; // the least the encoder accepts
const FINDER = 7;

const ECC = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const;

/** Undefined when the text does not fit the largest symbol. */
export function qrGrid(text: string, ecc: keyof typeof ECC): ModuleGrid | undefined {
  let matrix: boolean[][];
  try {
    matrix = encodeQR(text, 'raw', { ecc: ECC[ecc], border: ENCODER_BORDER });
  } catch (error) {
    if (error instanceof Error && error.message === 'Capacity overflow') return undefined;
    throw error;
  }
  const size = matrix.length - 2 * ENCODER_BORDER;
  const extent = size + 2 * QR_QUIET_ZONE;
  return {
    width: extent,
    height: extent,
    rectangles: qrRectangles(matrix, size),
    square: true,
    modules: size * size,
  };
}

function qrRectangles(matrix: readonly boolean[][], size: number): number[] {
  const rectangles: number[] = [];
  const far = QR_QUIET_ZONE + size - FINDER;
  finder(rectangles, QR_QUIET_ZONE, QR_QUIET_ZONE);
  finder(rectangles, far, QR_QUIET_ZONE);
  finder(rectangles, QR_QUIET_ZONE, far);
  // Index, for each column, of the rectangle whose run began there in the row above; see mergeModules.
  let above = new Int32Array(size).fill(-1);
  let current = new Int32Array(size).fill(-1);
  for (let y = 0; y < size; y += 1) {
    const row = matrix[y + ENCODER_BORDER] as boolean[];
    const besideFinder = y < FINDER || y >= size - FINDER;
    const last = y < FINDER ? size - FINDER : size;
    let x = besideFinder ? FINDER : 0;
    current.fill(-1);
    while (x < last) {
      if (row[x + ENCODER_BORDER] !== true) {
        x += 1;
        continue;
      }
      const start = x;
      do x += 1;
      while (x < last && row[x + ENCODER_BORDER] === true);
      const open = above[start] as number;
      if (open >= 0 && rectangles[open + 2] === x - start) {
        rectangles[open + 3] = (rectangles[open + 3] as number) + 1;
        current[start] = open;
      } else {
        current[start] = rectangles.length;
        rectangles.push(start + QR_QUIET_ZONE, y + QR_QUIET_ZONE, x - start, 1);
      }
    }
    const swap = above;
    above = current;
    current = swap;
  }
  return rectangles;
}

function finder(rectangles: number[], x: number, y: number): void {
  rectangles.push(x, y, 7, 7, x + 1, y + 1, 5, 5, x + 2, y + 2, 3, 3);
}
