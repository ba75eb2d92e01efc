import { create } from 'zustand';
import { type CheckReport, type RowProblem, withRechecked } from '../core/check/check-report.ts';
import { useEditor } from '../editor/editor-store.ts';
import {
  type EngineRefusal,
  engine,
  type LongestValue,
  type PreviewedRow,
  type PreviewPlan,
} from '../engine/engine-client.ts';
import { useWork } from '../project/work-store.ts';
import { flattens, sheetOf } from '../run/run-choices.ts';
import { say, tellError } from '../ui/messages.tsx';
import { basisNow, type CheckBasis, correctedSince, isRegrouped, isSameBasis } from './check-basis.ts';

/**
 * The document of the shown row, the field that is highlighted in it, and the check of all rows. The report of a check stays
 * valid until an input changes; undoing that change makes it valid again.
 */
interface PreviewState {
  readonly shown: PreviewedRow | EngineRefusal | null;
  readonly busy: boolean;
  readonly longest: readonly LongestValue[];
  /** Id of the highlighted overlay or form field. A new object scrolls to the field again. */
  readonly pointed: { readonly id: string } | null;
  readonly checked: { readonly basis: CheckBasis; readonly report: CheckReport } | null;
  /** Why the last check stopped. */
  readonly refused: { readonly basis: CheckBasis; readonly message: string } | null;
  /** Set while a check runs. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** The last problems of rows that were corrected since, by row. */
  readonly former: ReadonlyMap<number, readonly RowProblem[]>;
  /** Whether the rows with problems are shown as a sheet. */
  readonly fixing: boolean;
}

const NOTHING: PreviewState = {
  shown: null,
  busy: false,
  longest: [],
  pointed: null,
  checked: null,
  refused: null,
  progress: null,
  former: new Map(),
  fixing: false,
};

export const usePreview = create<PreviewState>(() => NOTHING);

/** Highlights a field in the document and scrolls to it; null removes the highlight. */
export function pointAt(id: string | null): void {
  usePreview.setState({ pointed: id === null ? null : { id } });
}

/** The current input of a fill; null while no project is open. */
export function currentPlan(): PreviewPlan | null {
  const { project } = useEditor.getState();
  if (project === null) return null;
  const { run } = useWork.getState();
  const { includeStickers, filenameColumns, passwordColumn, groupBy } = run;
  return {
    source: project.source.bytes,
    layout: project.layout,
    assets: project.assets,
    pictures: useWork.getState().pictures?.files,
    options: {
      includeStickers,
      flattenForms: flattens(run),
      filenameColumns,
      ...(groupBy.length > 0 && { groupBy }),
    },
    passwordColumn,
    onSheets: sheetOf(run) !== null,
  };
}

let asked = 0;

export async function fillShownRow(): Promise<void> {
  const plan = currentPlan();
  if (plan === null) return;
  asked += 1;
  const mine = asked;
  usePreview.setState({ busy: true });
  try {
    const shown = await engine.previewRow(useEditor.getState().previewRow, plan);
    if (mine === asked) usePreview.setState({ shown, busy: false });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (mine === asked) usePreview.setState({ shown: { ok: false, code: 'ENGINE', message }, busy: false });
  }
}

export async function findLongest(): Promise<void> {
  const plan = currentPlan();
  if (plan === null) return;
  const longest = await engine.longestValues(plan.layout);
  if (useEditor.getState().project?.layout === plan.layout) usePreview.setState({ longest });
}

let running: {
  readonly basis: CheckBasis;
  readonly stop: AbortController;
  readonly report: Promise<CheckReport | null>;
} | null = null;

/**
 * Checks all rows of the current project and returns the report. A complete report that is still valid is returned at once,
 * and a check that is under way is joined. Returns null if there are no rows or the rows cannot be filled (`refused` gives
 * the reason). The report of a check that was stopped covers fewer rows than the file has.
 */
export async function checkAllRows(): Promise<CheckReport | null> {
  const basis = basisNow();
  const plan = currentPlan();
  if (basis === null || plan === null) return null;
  if (running !== null && isSameBasis(running.basis, basis)) return running.report;
  stopCheck();
  const stop = new AbortController();
  const report = knownOrChecked(basis, plan, stop.signal).finally(() => {
    if (running?.stop !== stop) return;
    running = null;
    usePreview.setState({ progress: null });
  });
  running = { basis, stop, report };
  return report;
}

async function knownOrChecked(
  basis: CheckBasis,
  plan: PreviewPlan,
  signal: AbortSignal,
): Promise<CheckReport | null> {
  await rechecking;
  const known = currentReport();
  if (known !== null && known.rows === useEditor.getState().rows?.rowCount) return known;
  const found = await check(basis, plan, signal);
  // Cells may have been corrected during the check.
  await rechecking;
  return currentReport() ?? found;
}

async function check(basis: CheckBasis, plan: PreviewPlan, signal: AbortSignal): Promise<CheckReport | null> {
  usePreview.setState({ checked: null, refused: null, former: new Map(), progress: { done: 0, total: 1 } });
  const isLatest = () => running?.stop.signal === signal;
  const refuse = (message: string) => {
    if (isLatest()) usePreview.setState({ refused: { basis, message } });
    return null;
  };
  try {
    const found = await engine.preflight(
      plan,
      (done, total) => {
        if (isLatest()) usePreview.setState({ progress: { done, total } });
      },
      signal,
    );
    if ('ok' in found) return refuse(found.message);
    if (!isLatest()) return found;
    usePreview.setState({ checked: { basis, report: found } });
    recheckCorrected();
    const { length } = found.problemRows;
    say(`${found.rows} rows checked, ${length === 0 ? 'no problems' : `${length} with problems`}`);
    return found;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

let rechecking: Promise<unknown> = Promise.resolve();

/** Checks rows again whose cells were corrected since the report, and only these. */
function recheckCorrected(): void {
  rechecking = rechecking.then(recheck).catch(tellError);
}

async function recheck(): Promise<void> {
  const { checked, former } = usePreview.getState();
  const basis = basisNow();
  const plan = currentPlan();
  if (checked === null || basis === null || plan === null || !isSameBasis(checked.basis, basis)) return;
  const rows = correctedSince(checked.basis, basis);
  if (rows.length === 0) return;
  if (isRegrouped(checked.basis, basis)) return usePreview.setState({ checked: null });
  const found = await engine.checkRows(plan, rows);
  if (usePreview.getState().checked !== checked) return;
  const report = 'ok' in found ? null : withRechecked(checked.report, found);
  const solved = new Map(former);
  for (const { row, problems } of checked.report.listed) if (rows.includes(row)) solved.set(row, problems);
  usePreview.setState({ checked: report === null ? null : { basis, report }, former: solved });
}

/** Shows the rows with problems as a sheet, and checks the rows if no report is valid. */
export function openFixRows(): void {
  useEditor.getState().showPanel('preview');
  usePreview.setState({ fixing: true });
  void checkAllRows().catch(tellError);
}

export const closeFixRows = (): void => usePreview.setState({ fixing: false });

export function stopCheck(): void {
  running?.stop.abort();
}

/** The report of the current inputs; null if there is none. */
export function currentReport(): CheckReport | null {
  const { checked } = usePreview.getState();
  return checked !== null && isSameBasis(checked.basis, basisNow()) ? checked.report : null;
}

/** The report and the refusal of the current inputs. */
export function useCurrentCheck(): {
  readonly report: CheckReport | null;
  readonly refused: string | null;
} {
  const { checked, refused } = usePreview();
  useEditor((editor) => editor.project);
  useEditor((editor) => editor.rows);
  useEditor((editor) => editor.rowsReading);
  useWork((work) => work.run);
  const now = basisNow();
  return {
    report: checked !== null && isSameBasis(checked.basis, now) ? checked.report : null,
    refused: refused !== null && isSameBasis(refused.basis, now) ? refused.message : null,
  };
}

const stopIfOutdated = () => {
  if (running !== null && !isSameBasis(running.basis, basisNow())) stopCheck();
};
useWork.subscribe(stopIfOutdated);
useEditor.subscribe((now, before) => {
  stopIfOutdated();
  if (now.rowsReading !== before.rowsReading) recheckCorrected();
  if (now.openings === before.openings && now.project?.id === before.project?.id) return;
  // A document of another project must never be shown, not even until the first one of this project is ready.
  asked += 1;
  usePreview.setState(NOTHING);
});
