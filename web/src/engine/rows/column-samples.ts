import type { OpenRows } from './open-rows.ts';

const SAMPLES = 3;
const ROWS_SEARCHED = 200;
const LONGEST = 100;

/** The first different values of each column, from the first rows of the file. */
export function columnSamples(rows: Samplable): string[][] {
  const found = Array.from({ length: rows.info.columnCount }, () => new Set<string>());
  for (let row = 1; row <= Math.min(rows.info.rowCount, ROWS_SEARCHED); row += 1) {
    for (const [index, cell] of rows.cells(row).entries()) {
      const values = found[index];
      if (cell.trim() !== '' && values !== undefined && values.size < SAMPLES)
        values.add(cell.slice(0, LONGEST));
    }
  }
  return found.map((values) => [...values]);
}

interface Samplable {
  readonly info: Pick<OpenRows['info'], 'rowCount' | 'columnCount'>;
  cells(row: number): readonly string[];
}
