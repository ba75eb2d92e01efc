import { GroupCells } from '#lib/rows/group-cells.ts';
import { GroupNumbers } from '#lib/rows/group-numbers.ts';
import { RowsRefused } from '#lib/rows/rows-refused.ts';
import { type RowRanges, rangesOf } from '../../core/runs/row-ranges.ts';
import type { EngineRefusal } from '../engine-client.ts';
import type { OpenRows } from './open-rows.ts';

/** The groups of all rows of a file: one document each, numbered from 1 as a job of all rows numbers them. */
export interface RowGroups {
  readonly ok: true;
  readonly count: number;
  /** The rows of a group, by their numbers in the file. */
  rowsOf(group: number): readonly number[];
  /** The number of the group that a row belongs to. */
  groupOf(row: number): number;
  cellsOf(group: number): GroupCells;
}

/** Rows and columns are replaced when they change, so the groups of the open rows are found once. */
let last: {
  readonly rows: OpenRows;
  readonly key: string;
  readonly groups: RowGroups | EngineRefusal;
} | null = null;

export function rowGroups(rows: OpenRows, groupBy: readonly string[]): RowGroups | EngineRefusal {
  const key = groupBy.join(' ');
  if (last?.rows !== rows || last.key !== key) last = { rows, key, groups: grouped(rows, groupBy) };
  return last.groups;
}

function grouped(rows: OpenRows, groupBy: readonly string[]): RowGroups | EngineRefusal {
  const numbers = new GroupNumbers(groupBy);
  try {
    for (let row = 1; row <= rows.info.rowCount; row += 1) numbers.add(rows.engineCells(row));
  } catch (error) {
    if (!(error instanceof RowsRefused)) throw error;
    return { ok: false, code: error.code, message: error.message };
  }
  const groups = [...numbers.groups()];
  const groupOf = new Uint32Array(rows.info.rowCount + 1);
  for (const [index, group] of groups.entries()) for (const row of group) groupOf[row] = index + 1;
  const rowsOf = (group: number) => groups[group - 1] ?? [];
  return {
    ok: true,
    count: groups.length,
    rowsOf,
    groupOf: (row) => groupOf[row] ?? 0,
    cellsOf: (group) =>
      new GroupCells(rowsOf(group).map((number) => ({ number, cells: rows.engineCells(number) }))),
  };
}

/** The groups of a plan; null if every row is a document. */
export const groupsOfPlan = (
  groupBy: readonly string[] | undefined,
  rows: OpenRows | null,
): RowGroups | EngineRefusal | null =>
  rows === null || groupBy === undefined || groupBy.length === 0 ? null : rowGroups(rows, groupBy);

/** The whole groups of these rows, and how many they are. */
export function groupsOf(
  groupBy: readonly string[],
  ranges: RowRanges,
  rows: OpenRows | null,
): { readonly ok: true; readonly count: number; readonly rows: RowRanges } | EngineRefusal {
  const groups = groupsOfPlan(groupBy, rows);
  if (groups === null) return { ok: true, count: 0, rows: [] };
  if (!groups.ok) return groups;
  const found = new Set<number>();
  for (const [from, to] of ranges) for (let row = from; row <= to; row += 1) found.add(groups.groupOf(row));
  found.delete(0);
  return { ok: true, count: found.size, rows: rangesOf([...found].flatMap((group) => groups.rowsOf(group))) };
}
