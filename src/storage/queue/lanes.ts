/**
 * The priorities of queue entries: 0, -1, -2, -4, … A few fixed priorities, so that a claim reads each one from the
 * position where it has live entries.
 */
export const lanes: readonly number[] = [0, ...Array.from({ length: 17 }, (_, i) => -(2 ** i))];

const LAST = lanes.length - 1;

/** Returns the priority of an entry whose account already has `ahead` entries. */
export function laneOf(ahead: number): number {
  const lane = ahead < 1 ? 0 : Math.min(LAST, 1 + Math.floor(Math.log2(ahead)));
  return lanes[lane] ?? 0;
}

/** `laneOf` as SQL. */
export const laneOfSql = (ahead: string): string =>
  `(array[${lanes}])[1 + width_bucket((${ahead})::int8, array[${lanes.slice(1).map((lane) => -lane)}]::int8[])]`;
