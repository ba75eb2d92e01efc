import type { ValueSource } from '#fill/package/layout-schema.ts';
import { compileValue, NO_NOTES } from '#fill/values/resolve-value.ts';
import type { DistinctValues } from '../engine-client.ts';
import type { OpenRows } from '../rows/open-rows.ts';
import { breathe, STRETCH_MS } from './breathe.ts';

/** A column with more values than this is not a choice. */
const MOST = 50;

/** The distinct values of a source in the rows. Values that only differ in case or outer spaces tick the same box, so one of them stands for all. */
export async function distinctValues(
  source: ValueSource,
  rows: OpenRows | null,
  signal: AbortSignal,
): Promise<DistinctValues> {
  const found = new Map<string, string>();
  const read = compileValue(source);
  let stretchEnds = performance.now() + STRETCH_MS;
  for (let row = 1; row <= (rows?.info.rowCount ?? 0) && !signal.aborted; row += 1) {
    const value = rows === null ? '' : read(rows.engineCells(row), NO_NOTES).trim();
    const key = value.toLowerCase();
    if (value !== '' && !found.has(key)) {
      if (found.size === MOST) return { values: [...found.values()], isMore: true };
      found.set(key, value);
    }
    if (performance.now() < stretchEnds) continue;
    await breathe();
    stretchEnds = performance.now() + STRETCH_MS;
  }
  return { values: [...found.values()], isMore: false };
}
