import { moveLocks } from '../canvas/canvas-store.ts';
import { NO_GUIDES } from '../core/guides/ruler-guides.ts';
import { MAX_KEPT_BYTES, type PictureSet } from '../data/pictures/picture-set.ts';
import { draftRows, forgetIntake, restoreRows, useIntake } from '../data/rows-intake.ts';
import { useEditor } from '../editor/editor-store.ts';
import { engine } from '../engine/engine-client.ts';
import type { Project, RowsFile, Source } from '../project/project.ts';
import { NO_WORK, useWork } from '../project/work-store.ts';
import { DEFAULT_RUN } from '../run/run-choices.ts';
import { go } from '../shell/router.ts';
import { tellError } from '../ui/messages.tsx';
import { ChangeKeeper } from './change-keeper.ts';
import { heldRevision, listenToOtherTabs, moveHeldDraft, writeDraftParts } from './draft-guard.ts';
import {
  type DraftFacts,
  type DraftPart,
  type DraftWork,
  loadDraftFacts,
  loadDraftPictures,
  loadDraftRows,
  loadDraftWork,
  workParts,
} from './drafts.ts';
import { dropLateChange, keepLateChange } from './late-change.ts';
import { makeThumbnail } from './thumbnail.ts';

/**
 * Persists the draft of the open project. When a project opens, it restores the rows and choices of the draft. Changes are
 * written after a short pause, or at once when the page is hidden.
 */
const PAUSE_MS = 250;
let keptId: string | null = null;
let keptOpening = 0;
/** The project whose rows and choices are restored. Writing before that would delete them. */
let restoredId: string | null = null;
/** The work as it was last loaded or written. A change of the preview row alone causes no conflict with another tab. */
let keptWork: DraftWork | null = null;
let keptFacts: DraftFacts | null = null;
let keptRows: RowsFile | null = null;
let keptPictures: PictureSet | null = null;

/** Starts to store drafts. Later calls do nothing. */
export function persistDrafts(): void {
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
    else if (now.guides !== before.guides || now.runs !== before.runs) keeper.changed();
    else if (now.pictures !== before.pictures || now.library !== before.library) keeper.changed();
  });
  listenToOtherTabs();
  useIntake.subscribe((now, before) => {
    if (now.intake !== before.intake) keeper.changed();
  });
  const now = () => void keeper.keepNow();
  window.addEventListener('pagehide', () => {
    keepLate();
    now();
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    // The page is back: it writes its changes itself, and the kept one would be older.
    if (persisted && keptId !== null) dropLateChange(keptId);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') now();
  });
  followProject();
}
let watching = false;

/** Keeps a change that IndexedDB may not get before the page is gone. */
function keepLate(): void {
  const work = workNow();
  const id = useEditor.getState().project?.id;
  if (id === undefined || work === null || restoredId !== id || !keeper.hasChanges) return;
  // Opening a project is not a change: raising its revision would stop the other tabs that have it open.
  if (keptWork !== null && sameWork(keptWork, work)) return;
  const revision = heldRevision(id);
  // New fonts and pictures are too large for it, and a layout without them would be wrong.
  if (revision !== null && work.assets === keptWork?.assets) keepLateChange(id, revision, work);
}

function followProject(): void {
  const { project, openings } = useEditor.getState();
  const id = project?.id ?? null;
  if (id === keptId && openings === keptOpening) return;
  keptId = id;
  keptOpening = openings;
  restoredId = null;
  keptWork = null;
  keptFacts = null;
  keptRows = null;
  keptPictures = null;
  forgetIntake();
  useWork.setState(NO_WORK);
  // At once: the rows of the previous project must not fill a document of this one, even if its own cannot be read.
  const closed = engine.closeRows();
  if (project === null) closed.catch(tellError);
  else {
    restoring = restore(project, openings, closed).catch(tellError);
    restoring.then(() => keepThumbnail(project.source)).catch(tellError);
  }
}

let restoring: Promise<void> = Promise.resolve();
/** Resolves when the rows and choices of the open project are restored, or wait for an answer of the user. */
export const whenRestored = (): Promise<void> => restoring;

/** `opened` is the project as it was loaded. It may be changed before its draft is read. */
async function restore(opened: Project, opening: number, closed: Promise<void>): Promise<void> {
  const { id, name, layout, assets, differences } = opened;
  const isStale = () => keptId !== id || keptOpening !== opening;
  const [work, rowsFile, facts, pictures] = await Promise.all([
    loadDraftWork(id),
    loadDraftRows(id),
    loadDraftFacts(id),
    loadDraftPictures(id),
  ]);
  if (isStale()) return;
  if (work !== null) {
    useWork.setState({
      // Drafts of earlier versions lack newer options.
      run: { ...DEFAULT_RUN, ...work.run },
      request: work.request,
      guides: work.guides ?? NO_GUIDES,
      runs: work.runs ?? [],
      library: work.library ?? null,
    });
    // Equal layouts are two objects after loading, and "unsaved" compares objects.
    const saved = JSON.stringify(work.savedLayout) === JSON.stringify(layout) ? layout : work.savedLayout;
    useEditor.setState({
      savedLayout: saved,
      savedName: work.savedName ?? null,
      rowsReading: work.rowsReading,
    });
  }
  useWork.setState({ thumbnail: facts?.thumbnail ?? null, pictures });
  const now = work === null ? null : workNow(work.previewRow);
  // A change that was made meanwhile is not stored yet.
  keptWork = now && { ...now, name, layout, assets, differences };
  keptFacts = facts;
  keptRows = rowsFile;
  keptPictures = pictures;
  await closed;
  if (rowsFile !== null) {
    await restoreRows(rowsFile, useEditor.getState().rowsReading, work?.previewRow ?? 1);
    if (isStale()) return;
  }
  restoredId = id;
  keeper.changed();
}

async function keepThumbnail(source: Source): Promise<void> {
  const isOpen = () => useEditor.getState().project?.source === source;
  if (!isOpen() || useWork.getState().thumbnail !== null) return;
  const thumbnail = await makeThumbnail(source.bytes).catch(() => null);
  // Otherwise another project, opened meanwhile, would get the picture of this one.
  if (!isOpen()) return;
  useWork.setState({ thumbnail });
  keeper.changed();
}

/** Writes what has changed, without the usual pause. */
export const keepDraftNow = (): Promise<void> => keeper.keepNow();

/** Gives the open project another id, without opening it again: its rows, its history and its dialogs stay. */
export async function changeProjectId(id: string): Promise<void> {
  await keeper.keepNow();
  const { project } = useEditor.getState();
  if (project === null || project.id === id) return;
  await moveHeldDraft(project.id, id);
  moveLocks(project.id, id);
  const now = useEditor.getState().project;
  if (now?.id !== project.id) return;
  keptId = id;
  if (restoredId === project.id) restoredId = id;
  useEditor.setState({ project: { ...now, id } });
  go(`/editor/${id}`, { replace: true });
}

const keeper = new ChangeKeeper(
  writeDraft,
  (draft) => {
    useWork.setState({ draft });
    if (draft === 'kept' && keptId !== null) dropLateChange(keptId);
  },
  PAUSE_MS,
);

function workNow(previewRow = useEditor.getState().previewRow): DraftWork | null {
  const { project, savedLayout, savedName, rowsReading } = useEditor.getState();
  const { run, request, guides, runs, library } = useWork.getState();
  if (project === null) return null;
  const { name, layout, assets, differences } = project;
  return {
    name,
    layout,
    assets,
    differences,
    savedLayout,
    savedName,
    rowsReading,
    previewRow,
    request,
    run,
    guides,
    runs,
    library,
  };
}

async function writeDraft(): Promise<boolean> {
  const { project } = useEditor.getState();
  const { thumbnail, pictures } = useWork.getState();
  const rows = draftRows();
  const work = workNow();
  if (project === null || work === null || restoredId !== project.id) return false;
  const facts: DraftFacts = {
    pageCount: project.source.metadata.page_count,
    rowsFileName: rows?.fileName ?? null,
    thumbnail,
  };
  const hasOtherRows = rows?.file !== keptRows?.file;
  const hasOtherPictures = pictures !== keptPictures;
  const isChange = hasOtherRows || hasOtherPictures || keptWork === null || !sameWork(keptWork, work);
  // Opening a project writes nothing, so that a tab without changes overwrites nothing.
  if (!isChange && work.previewRow === keptWork?.previewRow && sameFacts(keptFacts, facts)) return true;
  // The webhook secret is kept in memory only; drafts must not contain secrets.
  const parts = workParts(project.id, { ...work, run: work.run && { ...work.run, webhook: null } }, facts);
  // Rows and the column names from them are written together: one without the other would be inconsistent.
  const all: DraftPart[] = [...parts];
  if (hasOtherRows) all.push(['rows', rows ?? undefined]);
  // Pictures above the limit stay in memory only; the data panel says so.
  const isSmall = pictures !== null && pictures.bytes <= MAX_KEPT_BYTES;
  if (hasOtherPictures) all.push(['pictures', isSmall ? pictures : undefined]);
  const isKept = await writeDraftParts(project.id, all, { isChange });
  if (isKept) [keptWork, keptFacts, keptRows, keptPictures] = [work, facts, rows, pictures];
  return isKept;
}

const sameFacts = (a: DraftFacts | null, b: DraftFacts): boolean =>
  a?.rowsFileName === b.rowsFileName && a.thumbnail === b.thumbnail;

/** Values are replaced when they change, so comparing object identity is enough. */
function sameWork(a: DraftWork, b: DraftWork): boolean {
  return (Object.keys(b) as (keyof DraftWork)[]).every(
    (member) => member === 'previewRow' || a[member] === b[member],
  );
}
