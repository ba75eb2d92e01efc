import type { EngineRefusal, PreviewedGroup, PreviewedRow } from '../engine-client.ts';
import type { PlanMessage } from '../engine-messages.ts';
import type { OpenRows } from '../rows/open-rows.ts';
import { groupsOfPlan, type RowGroups } from '../rows/row-groups.ts';
import { preparedPlan } from './prepared-plan.ts';

/** Returns the PDF of a row, or of its group, byte for byte as a job creates it. Without rows, the page is filled with blanks. */
export async function previewRow(
  row: number,
  message: PlanMessage,
  rows: OpenRows | null,
): Promise<PreviewedRow | EngineRefusal> {
  const prepared = await preparedPlan(message, rows);
  if (!prepared.ok) return prepared;
  const groups = groupsOfPlan(message.options.groupBy, rows);
  if (groups?.ok === false) return groups;
  const { base, filler } = prepared;
  const group = groups === null ? undefined : groupOf(row, groups);
  const cells = rows === null || row > rows.info.rowCount ? new Map() : rows.engineCells(row);
  const { result, tail } =
    groups === null || group === undefined
      ? filler.fill(row, cells)
      : filler.fill(group.number, groups.cellsOf(group.number));
  if (tail === null) return { ok: true, result, group, pdf: null };
  const pdf = new Uint8Array(base.bytes.length + tail.length);
  pdf.set(base.bytes);
  pdf.set(tail, base.bytes.length);
  return { ok: true, result, group, pdf };
}

function groupOf(row: number, groups: RowGroups): PreviewedGroup | undefined {
  const number = groups.groupOf(row);
  if (number === 0) return undefined;
  const first = (other: number) => groups.rowsOf(other)[0] ?? null;
  const { count } = groups;
  return { number, count, rows: groups.rowsOf(number), previous: first(number - 1), next: first(number + 1) };
}
