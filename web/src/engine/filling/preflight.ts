import { ObjectNumbers } from '#fill/write/tail-object.ts';
import type { EngineRefusal, PreflightReport } from '../engine-client.ts';
import type { PlanMessage } from '../engine-messages.ts';
import type { OpenRows } from '../rows/open-rows.ts';
import { breathe, STRETCH_MS } from './breathe.ts';
import { preparedPlan } from './prepared-plan.ts';
import { ProblemList } from './problem-list.ts';

/**
 * Every row drawn as a job would draw it, up to the point where it becomes bytes: text that does not fit, characters no
 * font has, codes that cannot be encoded. What it reports is what the job's manifest will report.
 */
export async function preflight(
  message: PlanMessage,
  rows: OpenRows | null,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<PreflightReport | EngineRefusal> {
  const prepared = await preparedPlan(message, rows);
  if (!prepared.ok) return prepared;
  const { base, filler } = prepared;
  const total = rows?.info.rowCount ?? 0;
  const list = new ProblemList();
  let stretchEnds = performance.now() + STRETCH_MS;
  let row = 1;
  for (; rows !== null && row <= total && !signal.aborted; row += 1) {
    list.add(row, filler.draw(rows.engineCells(row), new ObjectNumbers(base.facts.size)));
    if (performance.now() < stretchEnds) continue;
    onProgress(row, total);
    await breathe();
    stretchEnds = performance.now() + STRETCH_MS;
  }
  return list.report(row - 1);
}
