import type { ModuleGrid } from './module-grid.ts';
import { lowestOne } from './qr/bit-matrix.ts';
import { LARGEST_SIZE, type QrLevel } from './qr/qr-capacity.ts';
import { type QrSymbol, qrSymbol } from './qr/qr-symbol.ts';

/**
 * QR codes (ISO/IEC 18004). The quiet zone of four modules (§5.3.8) is part of the grid, so that a code over a page's own
 * text still scans.
 *
 * The three finder patterns are constant: each is three nested squares under the even-odd rule instead of fifteen runs. The
 * rest is merged line by line from the symbol's bits.
 */
const QR_QUIET_ZONE = 4;
const FINDER = 7;

/** Returns undefined if the text does not fit the largest symbol. */
export function qrGrid(text: string, ecc: QrLevel): ModuleGrid | undefined {
  const symbol = qrSymbol(text, ecc);
  if (symbol === undefined) return undefined;
  const { size } = symbol.template;
  const extent = size + 2 * QR_QUIET_ZONE;
  return {
    width: extent,
    height: extent,
    rectangles: qrRectangles(symbol),
    square: true,
    module: 1,
    modules: size * size,
  };
}

/** Codes share buffers of at least this size. Allocating one per code would cost as much as its rectangles. */
const POOL_NUMBERS = 1 << 14;
let pool = new Uint16Array(0);
let used = 0;
const openRuns = [new Int32Array(LARGEST_SIZE), new Int32Array(LARGEST_SIZE)] as const;

function qrRectangles({ template, modules }: QrSymbol): Uint16Array {
  const { size, finders } = template;
  // At most every other module starts a rectangle.
  const numbers = poolWith(2 * size * size);
  const far = QR_QUIET_ZONE + size - FINDER;
  let end = finder(numbers, used, QR_QUIET_ZONE, QR_QUIET_ZONE);
  end = finder(numbers, end, far, QR_QUIET_ZONE);
  end = finder(numbers, end, QR_QUIET_ZONE, far);
  // For each column, the index in `numbers` of the rectangle whose run began there in the line above, or -1.
  let [above, current] = openRuns as readonly [Int32Array, Int32Array];
  above.fill(-1, 0, size);
  const { words, bits } = modules;
  for (let y = 0; y < size; y += 1) {
    current.fill(-1, 0, size);
    // Where the open run began, or -1; a size is never a multiple of 32, so the last run ends inside the last word.
    let start = -1;
    let before = 0;
    for (let word = 0, at = y * words; word < words; word += 1, at += 1) {
      const dark = (bits[at] as number) & ~(finders.bits[at] as number);
      let changes = dark ^ ((dark << 1) | before);
      before = dark >>> 31;
      for (; changes !== 0; changes &= changes - 1) {
        const x = 32 * word + lowestOne(changes);
        if (start < 0) {
          start = x;
          continue;
        }
        const run = x - start;
        const open = above[start] as number;
        if (open >= 0 && numbers[open + 2] === run) {
          numbers[open + 3] = (numbers[open + 3] as number) + 1;
          current[start] = open;
        } else {
          current[start] = end;
          numbers[end] = start + QR_QUIET_ZONE;
          numbers[end + 1] = y + QR_QUIET_ZONE;
          numbers[end + 2] = run;
          numbers[end + 3] = 1;
          end += 4;
        }
        start = -1;
      }
    }
    const swap = above;
    above = current;
    current = swap;
  }
  const rectangles = numbers.subarray(used, end);
  used = end;
  return rectangles;
}

/** The pool, with enough space for the given number of entries. */
function poolWith(room: number): Uint16Array {
  if (used + room > pool.length) {
    pool = new Uint16Array(Math.max(POOL_NUMBERS, room));
    used = 0;
  }
  return pool;
}

function finder(numbers: Uint16Array, at: number, x: number, y: number): number {
  let end = at;
  for (let ring = 0; ring < 3; ring += 1, end += 4) {
    numbers[end] = x + ring;
    numbers[end + 1] = y + ring;
    numbers[end + 2] = FINDER - 2 * ring;
    numbers[end + 3] = FINDER - 2 * ring;
  }
  return end;
}
