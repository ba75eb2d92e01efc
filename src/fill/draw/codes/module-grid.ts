/**
 * A code as rectangles in module units, y down. Vector paths are sharp at any scale, and small integers keep a row's tail
 * short.
 */
export interface ModuleGrid {
  /** Extent in modules, including the quiet zone. */
  readonly width: number;
  readonly height: number;
  /** x, y, width, height of each rectangle; filled by the even-odd rule. */
  readonly rectangles: ArrayLike<number>;
  /** Painting operators in module units instead, for symbols that are not made of squares (MaxiCode, DotCode). */
  readonly painting?: string;
  /** Keeps its width-to-height ratio (matrix codes), or fills its box (bars). */
  readonly square: boolean;
  /** Grid units per module, or from bar to bar in postal codes. It determines whether the code is too small. */
  readonly module: number;
  /** The width in points that a symbol of one size (Swiss QR code) must have without its quiet zone. */
  readonly fixed?: number;
  /** The width of the whole grid in points, in a larger box. Absent if the symbol fills its box. */
  readonly extent?: number;
  /** The text below the bars, if the overlay has one. */
  readonly text?: string;
  /** Number of dark modules, which count towards the row's budget. */
  readonly modules: number;
}

/**
 * Merges dark modules into rectangles: runs along each row, and a run that repeats exactly in the rows below becomes one
 * tall rectangle. Calls `dark(x, y)` once per module.
 */
export function mergeModules(
  columns: number,
  rows: number,
  dark: (x: number, y: number) => boolean,
): number[] {
  const rectangles: number[] = [];
  // For each column, the index in `rectangles` of the run that began there in the row above, or -1.
  let above = new Int32Array(columns).fill(-1);
  let current = new Int32Array(columns).fill(-1);
  for (let y = 0; y < rows; y += 1) {
    current.fill(-1);
    let x = 0;
    while (x < columns) {
      if (!dark(x, y)) {
        x += 1;
        continue;
      }
      const start = x;
      while (x < columns && dark(x, y)) x += 1;
      const open = above[start] as number;
      if (open >= 0 && rectangles[open + 2] === x - start) {
        rectangles[open + 3] = (rectangles[open + 3] as number) + 1;
        current[start] = open;
      } else {
        current[start] = rectangles.length;
        rectangles.push(start, y, x - start, 1);
      }
    }
    [above, current] = [current, above];
  }
  return rectangles;
}
