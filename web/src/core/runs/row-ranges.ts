/** Rows of a file by their numbers from 1: ascending ranges, both ends included, that do not touch. */
export type RowRange = readonly [from: number, to: number];
export type RowRanges = readonly RowRange[];

/** The shortest ranges that contain exactly these rows. */
export function rangesOf(rows: Iterable<number>): RowRanges {
  const ranges: [number, number][] = [];
  for (const row of [...new Set(rows)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === row - 1) last[1] = row;
    else ranges.push([row, row]);
  }
  return ranges;
}

export const countRows = (ranges: RowRanges): number =>
  ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);

export const includesRow = (ranges: RowRanges, row: number): boolean =>
  ranges.some(([from, to]) => from <= row && row <= to);

/** The row of the file that a job calls row `number`: a job counts the rows it was sent from 1. */
export function fileRowOf(ranges: RowRanges, number: number): number {
  let left = number;
  for (const [from, to] of ranges) {
    const count = to - from + 1;
    if (left <= count) return from + left - 1;
    left -= count;
  }
  throw new Error(`bug: the rows of the run have no row ${number}`);
}

/** The number under which a job has a row of the file; undefined if it does not have the row. */
export function jobRowOf(ranges: RowRanges, row: number): number | undefined {
  let before = 0;
  for (const [from, to] of ranges) {
    if (from <= row && row <= to) return before + row - from + 1;
    before += to - from + 1;
  }
  return undefined;
}

/** Whether a job's row numbers are those of the file. */
export const startsAtFirstRow = (ranges: RowRanges): boolean => ranges.length === 1 && ranges[0]?.[0] === 1;

/** Maximum number of ranges in words. */
const NAMED = 6;

/** `rows 7, 19 and 230–240`; `rows 7, 9, 11, 13, 15, 17 and 40 more`. */
export function rangesWords(ranges: RowRanges): string {
  const named = ranges.length > NAMED + 1 ? ranges.slice(0, NAMED) : ranges;
  const shown = named.map(([from, to]) =>
    from === to ? from.toLocaleString() : `${from.toLocaleString()}–${to.toLocaleString()}`,
  );
  const rest = countRows(ranges) - countRows(named);
  if (rest > 0) shown.push(`${rest.toLocaleString()} more`);
  const last = shown.pop() ?? 'none';
  const list = shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
  return `${countRows(ranges) === 1 ? 'row' : 'rows'} ${list}`;
}
