import type { EngineRefusal, PreviewedRow } from '../engine-client.ts';
import type { PlanMessage } from '../engine-messages.ts';
import type { OpenRows } from '../rows/open-rows.ts';
import { preparedPlan } from './prepared-plan.ts';

/** Returns one row's PDF, byte for byte as a job creates it. Without rows, the page is filled with blanks. */
export async function previewRow(
  row: number,
  message: PlanMessage,
  rows: OpenRows | null,
): Promise<PreviewedRow | EngineRefusal> {
  const prepared = await preparedPlan(message, rows);
  if (!prepared.ok) return prepared;
  const { base, filler } = prepared;
  const cells = rows === null || row > rows.info.rowCount ? new Map() : rows.engineCells(row);
  const { result, tail } = filler.fill(row, cells);
  if (tail === null) return { ok: true, result, pdf: null };
  const pdf = new Uint8Array(base.bytes.length + tail.length);
  pdf.set(base.bytes);
  pdf.set(tail, base.bytes.length);
  return { ok: true, result, pdf };
}
