import { MergedPdf } from '#fill/merge/merged-pdf.ts';
import { portableCodec } from '#fill/portable-codec.ts';
import type { Sheet } from '#fill/sheet/sheet.ts';
import type { RowRange } from '../../core/runs/row-ranges.ts';
import type { EngineRefusal, PreviewedSheet } from '../engine-client.ts';
import type { PlanMessage } from '../engine-messages.ts';
import type { OpenRows } from '../rows/open-rows.ts';
import { groupsOfPlan } from '../rows/row-groups.ts';
import { preparedPlan } from './prepared-plan.ts';

/** Maximum number of rows that are filled for a picture of a sheet. */
const MAX_FILLED = 200;

/** Returns the first sheet of labels, made as a job makes it: rows that fail take no label. */
export async function previewSheet(
  [from, to]: RowRange,
  sheet: Sheet,
  message: PlanMessage,
  rows: OpenRows | null,
): Promise<PreviewedSheet | EngineRefusal> {
  const options = { ...message.options, flattenForms: true };
  const prepared = await preparedPlan({ ...message, options, onSheets: true }, rows);
  if (!prepared.ok) return prepared;
  const groups = groupsOfPlan(message.options.groupBy, rows);
  if (groups?.ok === false) return groups;
  const { base, filler } = prepared;
  const merged = new MergedPdf(base, { sheet });
  const free = sheet.columns * sheet.rows - sheet.skip;
  const total = groups === null ? Math.min(to, rows?.info.rowCount ?? 0) - from + 1 : groups.count;
  for (
    let number = 1;
    rows !== null && number <= Math.min(total, MAX_FILLED) && merged.rows < free;
    number += 1
  )
    merged.add(
      filler,
      number,
      groups === null ? rows.engineCells(from + number - 1) : groups.cellsOf(number),
    );
  if (merged.rows === 0) return { ok: true, pdf: null, labels: 0 };
  const parts = [merged.base, ...merged.finish(portableCodec)];
  const pdf = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    pdf.set(part, at);
    at += part.length;
  }
  return { ok: true, pdf, labels: merged.rows };
}
