import { showRow } from '../data/show-row.ts';
import { withColumns } from '../data/with-columns.ts';
import { useEditor } from '../editor/editor-store.ts';
import type { RowsInfo } from '../editor/project.ts';
import { engine } from '../engine/engine-client.ts';
import { DEFAULT_RUN } from '../run/run-choices.ts';
import { tellError } from '../ui/messages.tsx';
import { ChangeKeeper } from './change-keeper.ts';
import { loadDraftRows, loadDraftWork, saveDraft } from './drafts.ts';
import { makeThumbnail } from './thumbnail.ts';
import { NO_WORK, useWork } from './work-store.ts';

/**
 * Keeps the draft of the open project in step with the screen: brings back what the draft holds beside the layout when a
 * project opens, and writes what changes a moment after it has changed, or at once when the page goes away.
 */
const PAUSE_MS = 250;
let keptId: string | null = null;
let keptOpening = 0;
/** The project whose rows and choices have come back; before that, writing would forget them. */
let restoredId: string | null = null;

/** Watches from now on; called once, when the editor is first there. */
export function keepDrafts(): void {
  if (watching) return;
  watching = true;
  useEditor.subscribe((now, before) => {
    if (now.project?.id !== before.project?.id || now.openings !== before.openings) followProject();
    else if (now.project !== before.project || now.savedLayout !== before.savedLayout) keeper.changed();
    else if (now.rowsReading !== before.rowsReading || now.previewRow !== before.previewRow) keeper.changed();
  });
  useWork.subscribe((now, before) => {
    if (now.run !== before.run || now.request !== before.request || now.rowsFile !== before.rowsFile)
      keeper.changed();
  });
  const now = () => void keeper.keepNow();
  window.addEventListener('pagehide', now);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') now();
  });
  followProject();
}
let watching = false;

function followProject(): void {
  const { project, openings } = useEditor.getState();
  const id = project?.id ?? null;
  if (id === keptId && openings === keptOpening) return;
  keptId = id;
  keptOpening = openings;
  restoredId = null;
  useWork.setState(NO_WORK);
  if (id === null) {
    engine.closeRows().catch(tellError);
    return;
  }
  restore(id).catch(tellError);
}

async function restore(id: string): Promise<void> {
  const [work, rowsFile] = await Promise.all([loadDraftWork(id), loadDraftRows(id)]);
  if (keptId !== id) return;
  if (work !== null) {
    useWork.setState({ run: work.run ?? DEFAULT_RUN, request: work.request });
    const current = useEditor.getState().project?.layout ?? null;
    // Read apart, equal layouts are two objects again; "unsaved" means another object.
    const saved = JSON.stringify(work.savedLayout) === JSON.stringify(current) ? current : work.savedLayout;
    useEditor.setState({ savedLayout: saved, rowsReading: work.rowsReading });
  }
  if (rowsFile === null) await engine.closeRows();
  else {
    const reading = work?.rowsReading ?? useEditor.getState().rowsReading;
    const opened = await engine.openRows(rowsFile.file, rowsFile.fileName, reading);
    if (keptId !== id) return;
    if (opened.ok) {
      useWork.setState({ rowsFile });
      useEditor.getState().setRows(opened.rows, reading);
      nameColumns(opened.rows);
      await showRow(work?.previewRow ?? 1);
    }
  }
  restoredId = id;
  keeper.changed();
  const { project } = useEditor.getState();
  if (project !== null) {
    useWork.setState({ thumbnail: await makeThumbnail(project.source.bytes).catch(() => null) });
    keeper.changed();
  }
}

/** Rows that came with a new project name its columns before anything is done, so there is nothing to undo. */
function nameColumns(rows: RowsInfo): void {
  const { project } = useEditor.getState();
  if (project === null || project.layout.columns.length > 0) return;
  const layout = withColumns(project.layout, rows, false);
  useEditor.setState({ project: { ...project, layout }, layout });
}

const keeper = new ChangeKeeper(writeDraft, (draft) => useWork.setState({ draft }), PAUSE_MS);

async function writeDraft(): Promise<boolean> {
  const { project, savedLayout, rowsReading, previewRow } = useEditor.getState();
  const { run, request, thumbnail, rowsFile } = useWork.getState();
  if (project === null || restoredId !== project.id) return false;
  const { id, name, layout, assets, differences, source } = project;
  await saveDraft(
    id,
    // A webhook's secret stays in the page: a draft is no place for secrets.
    {
      name,
      layout,
      assets,
      differences,
      savedLayout,
      rowsReading,
      previewRow,
      request,
      run: { ...run, webhook: null },
    },
    { pageCount: source.metadata.page_count, rowsFileName: rowsFile?.fileName ?? null, thumbnail },
  );
  return true;
}
