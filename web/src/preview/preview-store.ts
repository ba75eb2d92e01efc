import { create } from 'zustand';
import { useEditor } from '../editor/editor-store.ts';
import {
  type EngineRefusal,
  engine,
  type LongestValue,
  type PreflightReport,
  type PreviewedRow,
  type PreviewPlan,
} from '../engine/engine-client.ts';
import { useWork } from '../project/work-store.ts';
import { say } from '../ui/messages.tsx';

/** The document of the shown row, and the result of the check of all rows. */
interface PreviewState {
  readonly shown: PreviewedRow | EngineRefusal | null;
  readonly busy: boolean;
  readonly report: PreflightReport | null;
  /** Set while a check runs. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly refused: string | null;
  readonly longest: readonly LongestValue[];
}

export const usePreview = create<PreviewState>(() => ({
  shown: null,
  busy: false,
  report: null,
  progress: null,
  refused: null,
  longest: [],
}));

/** The current input of a fill; null while no project is open. */
export function currentPlan(): PreviewPlan | null {
  const { project } = useEditor.getState();
  if (project === null) return null;
  const { includeStickers, flattenForms, filenameColumns } = useWork.getState().run;
  return {
    source: project.source.bytes,
    layout: project.layout,
    assets: project.assets,
    options: { includeStickers, flattenForms, filenameColumns },
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
  if (plan !== null) usePreview.setState({ longest: await engine.longestValues(plan.layout) });
}

let stop: AbortController | null = null;

export async function checkAllRows(): Promise<void> {
  const plan = currentPlan();
  if (plan === null || stop !== null) return;
  stop = new AbortController();
  usePreview.setState({ report: null, refused: null, progress: { done: 0, total: 1 } });
  try {
    const found = await engine.preflight(
      plan,
      (done, total) => usePreview.setState({ progress: { done, total } }),
      stop.signal,
    );
    if ('ok' in found) usePreview.setState({ refused: found.message });
    else {
      usePreview.setState({ report: found });
      const { length } = found.problemRows;
      say(`${found.rows} rows checked, ${length === 0 ? 'no problems' : `${length} with problems`}`);
    }
  } catch (error) {
    usePreview.setState({ refused: error instanceof Error ? error.message : String(error) });
  } finally {
    stop = null;
    usePreview.setState({ progress: null });
  }
}

export function stopCheck(): void {
  stop?.abort();
}

/** Another layout or other rows: the findings are no longer valid. */
export function forgetFindings(): void {
  stopCheck();
  usePreview.setState({ report: null, refused: null, longest: [] });
}
