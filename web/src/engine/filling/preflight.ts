import type { RowPart } from '#fill/row-filler.ts';
import type { RowCells } from '#fill/values/row-cells.ts';
import { ObjectNumbers } from '#fill/write/tail-object.ts';
import { type CheckedRow, type CheckReport, ReportBuilder } from '../../core/check/check-report.ts';
import type { EngineRefusal } from '../engine-client.ts';
import type { PlanMessage } from '../engine-messages.ts';
import type { OpenRows } from '../rows/open-rows.ts';
import { groupsOfPlan, type RowGroups } from '../rows/row-groups.ts';
import { breathe, STRETCH_MS } from './breathe.ts';
import { checkedGroup, checkedRow, withPassword } from './checked-row.ts';
import { type PreparedPlan, preparedPlan } from './prepared-plan.ts';

/**
 * Draws every row or group as a job would, without serialising it, and reports text that does not fit, characters missing from all
 * fonts, and codes that cannot be encoded. The job's manifest will report the same.
 */
export async function preflight(
  message: PlanMessage,
  rows: OpenRows | null,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<CheckReport | EngineRefusal> {
  const prepared = await preparedPlan(message, rows);
  if (!prepared.ok) return prepared;
  const total = rows?.info.rowCount ?? 0;
  const list = new ReportBuilder();
  let stretchEnds = performance.now() + STRETCH_MS;
  let row = 1;
  const groups = groupsOfPlan(message.options.groupBy, rows);
  if (groups?.ok === false) return groups;
  let group = 1;
  while (rows !== null && row <= total && !signal.aborted) {
    const found =
      groups === null
        ? [checked(row, rows, prepared, message)]
        : checkedRows(group, groups, prepared, message);
    for (const each of found) list.add(each);
    row += found.length;
    group += 1;
    if (performance.now() < stretchEnds) continue;
    onProgress(row - 1, total);
    await breathe();
    stretchEnds = performance.now() + STRETCH_MS;
  }
  return list.report(row - 1);
}

/** Checks some rows again, or their whole groups, after cells were corrected. Rows that the file does not have are left out. */
export async function checkRows(
  message: PlanMessage,
  numbers: readonly number[],
  rows: OpenRows | null,
): Promise<readonly CheckedRow[] | EngineRefusal> {
  const prepared = await preparedPlan(message, rows);
  if (!prepared.ok) return prepared;
  const groups = groupsOfPlan(message.options.groupBy, rows);
  if (groups !== null) {
    if (!groups.ok) return groups;
    const affected = new Set(numbers.map((row) => groups.groupOf(row)));
    return [...affected].flatMap((group) => checkedRows(group, groups, prepared, message));
  }
  const last = rows?.info.rowCount ?? 0;
  return numbers.flatMap((row) =>
    rows === null || row > last ? [] : [checked(row, rows, prepared, message)],
  );
}

/** The rows of a group, which are checked together. */
function checkedRows(
  group: number,
  groups: RowGroups,
  prepared: PreparedPlan,
  { passwordColumn }: PlanMessage,
): readonly CheckedRow[] {
  const cells = groups.cellsOf(group);
  const drawn = drawnFor(prepared, cells);
  return checkedGroup(groups.rowsOf(group), withPassword(drawn, cells, passwordColumn));
}

function checked(
  row: number,
  rows: OpenRows,
  prepared: PreparedPlan,
  { passwordColumn }: PlanMessage,
): CheckedRow {
  const cells = rows.engineCells(row);
  const drawn = drawnFor(prepared, cells);
  return checkedRow(row, withPassword(drawn, cells, passwordColumn));
}

/** The document as drawn, or failed if the output of the run cannot show it. */
function drawnFor({ base, filler }: PreparedPlan, cells: RowCells): RowPart {
  const drawn = filler.draw(cells, new ObjectNumbers(base.facts.size));
  return { ...drawn, error: drawn.error ?? filler.sheetError(drawn) };
}
