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

/** Scratch space of this thread, large enough for version 40 (177 modules a side): a QR code allocates one array. */
const LARGEST = 177;
const scratch = new Uint16Array(LARGEST * LARGEST * 2 + 64);
const openRuns = [new Int32Array(LARGEST), new Int32Array(LARGEST)] as const;

function qrRectangles(matrix: readonly boolean[][], size: number): Uint16Array {
  const far = QR_QUIET_ZONE + size - FINDER;
  let length = finder(0, QR_QUIET_ZONE, QR_QUIET_ZONE);
  length = finder(length, far, QR_QUIET_ZONE);
  length = finder(length, QR_QUIET_ZONE, far);
  // For each column, where in `scratch` the rectangle stands whose run began there in the row above, or -1.
  let [above, current] = openRuns as readonly [Int32Array, Int32Array];
  above.fill(-1, 0, size);
  for (let y = 0; y < size; y += 1) {
    const row = matrix[y + ENCODER_BORDER] as boolean[];
    const last = y < FINDER ? size - FINDER : size;
    let x = y < FINDER || y >= size - FINDER ? FINDER : 0;
    current.fill(-1, 0, size);
    while (x < last) {
      if (row[x + ENCODER_BORDER] !== true) {
        x += 1;
        continue;
      }
      const start = x;
      do x += 1;
      while (x < last && row[x + ENCODER_BORDER] === true);
      const open = above[start] as number;
      if (open >= 0 && scratch[open + 2] === x - start) {
        scratch[open + 3] = (scratch[open + 3] as number) + 1;
        current[start] = open;
      } else {
        current[start] = length;
        scratch[length] = start + QR_QUIET_ZONE;
        scratch[length + 1] = y + QR_QUIET_ZONE;
        scratch[length + 2] = x - start;
        scratch[length + 3] = 1;
        length += 4;
      }
    }
    const swap = above;
    above = current;
    current = swap;
  }
  return scratch.slice(0, length);
}

function finder(at: number, x: number, y: number): number {
  for (let ring = 0; ring < 3; ring += 1) {
    const side = FINDER - 2 * ring;
    scratch.set([x + ring, y + ring, side, side], at + ring * 4);
  }
  return at + 12;
}
