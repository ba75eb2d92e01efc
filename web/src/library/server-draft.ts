import { create } from 'zustand';
import type { StoredDraft } from '#bulkfill/operator-contract.ts';
import { ServerRefusal } from '../api/server-refusal.ts';
import { ChangeKeeper } from '../drafts/change-keeper.ts';
import { currentLayout } from '../drafts/current-layout.ts';
import { useDraftConflict } from '../drafts/draft-guard.ts';
import { whenRestored } from '../drafts/draft-keeper.ts';
import { useEditor } from '../editor/editor-store.ts';
import type { Project } from '../project/project.ts';
import { useWork } from '../project/work-store.ts';
import { isUnsaved } from '../saving/seal-package.ts';
import { useSession } from '../shell/session.ts';
import { tell } from '../ui/messages.tsx';
import type { ProjectPlace } from './library-api.ts';
import { placeNow } from './presence.ts';
import { RetryLater } from './retry-later.ts';
import { sameLayout } from './same-layout.ts';
import { showConflict, useSaveConflict } from './save-conflict.ts';
import {
  assetsOf,
  contentOf,
  type DraftContent,
  deleteServerDraft,
  readServerDraft,
  thisBrowser,
  writeServerDraft,
} from './server-draft-api.ts';

/**
 * Keeps unsaved work on projects of the library on the server too, so that other browsers of the same person have it. The draft in
 * this browser comes first: it is written sooner, and it stays if the server is unavailable. A draft that another browser stored
 * is never overwritten without a decision of the user.
 */
const PAUSE_MS = 3_000;

interface ServerDraftState {
  readonly state: 'none' | 'kept' | 'failed';
  /** Unsaved work of another browser that differs from the one here. Until the user decides, nothing is written. */
  readonly elsewhere: StoredDraft | null;
}

const NOTHING: ServerDraftState = { state: 'none', elsewhere: null };
export const useServerDraft = create<ServerDraftState>(() => NOTHING);

type Content = Omit<DraftContent, 'browser'> & { readonly assets: Project['assets'] };
/** The revision that this tab has read or written last, and what it contains. Null: not read, or the user has to decide. */
let known: { readonly id: string; readonly revision: number; readonly content: Content | null } | null = null;
/** Serialises requests: the second write expects the revision of the first. */
let lastCall: Promise<unknown> = Promise.resolve();
let begun = 0;
let watching = false;

/** Starts to keep drafts on the server. Later calls do nothing. */
export function keepServerDraft(): void {
  if (watching) return;
  watching = true;
  useEditor.subscribe((now, before) => {
    if (now.project?.id !== before.project?.id || now.openings !== before.openings) void begin();
    else if (now.savedLayout !== before.savedLayout || now.savedName !== before.savedName) {
      keeper.changed();
      // At once: a draft that remains after a save would replace the saved version when the project opens again.
      void keeper.keepNow();
    } else if (now.project !== before.project) keeper.changed();
  });
  useWork.subscribe((now, before) => {
    if (now.library?.account !== before.library?.account) void begin();
    else if (now.guides !== before.guides) keeper.changed();
  });
  useSession.subscribe((now, before) => {
    if (now.status !== before.status) void begin();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void keeper.keepNow();
  });
  window.addEventListener('pagehide', () => void keeper.keepNow());
  window.addEventListener('online', () => retry.now());
  void begin();
}

const retry = new RetryLater(
  () => {
    // Without changes, nothing is missing on the server.
    if (!isUnsaved(useEditor.getState())) return;
    useServerDraft.setState({ state: 'failed' });
    if (!isTold)
      tell(
        'bad',
        'The draft could not be stored on the server. It is kept in this browser, and the editor tries again.',
      );
    isTold = true;
  },
  () => void (known === null ? begin() : keeper.keepNow()),
);
/** Whether the user has been told that the draft cannot be stored. */
let isTold = false;

const keeper = new ChangeKeeper(
  write,
  (state) => {
    if (state === 'failed') retry.failed();
    else if (state === 'kept') {
      retry.succeeded();
      isTold = false;
    } else if (useServerDraft.getState().state === 'kept') useServerDraft.setState({ state: 'none' });
  },
  PAUSE_MS,
);

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const working = lastCall.then(work);
  lastCall = working.catch(() => undefined);
  return working;
}

/** Reads the draft of the project that was opened. */
async function begin(): Promise<void> {
  begun += 1;
  const turn = begun;
  known = null;
  retry.stop();
  useServerDraft.setState(NOTHING);
  if (useSaveConflict.getState().conflict?.draft !== undefined) showConflict(null);
  await whenRestored();
  const place = placeNow();
  if (place === null || turn !== begun) return;
  try {
    const draft = await inTurn(() => readServerDraft(place));
    if (turn === begun && placeNow()?.id === place.id) take(place, draft);
  } catch (error) {
    if (turn === begun && !isFinal(error)) retry.failed();
  }
}

/** The project or the right to it is gone, or the session has ended: a save says so. */
const isFinal = (error: unknown) =>
  error instanceof ServerRefusal && [400, 401, 403, 404].includes(error.status);

/** Compares the draft on the server with what is on the screen. */
function take(place: ProjectPlace, draft: StoredDraft | null): void {
  const { project } = useEditor.getState();
  if (project === null) return;
  const { id } = place;
  if (draft === null) known = { id, revision: 0, content: null };
  else {
    const { name, layout, browser } = contentOf(draft);
    const isSame = name === project.name && sameLayout(layout, project.layout);
    const unsaved = isUnsaved(useEditor.getState());
    if (!isSame && !unsaved) {
      load(place, draft);
      tell('good', 'Draft from the server loaded', { undo: () => undoLoad(project) });
      return;
    }
    if (!isSame && browser !== thisBrowser()) {
      useServerDraft.setState({ elsewhere: draft });
      askAboutDraft();
      return;
    }
    known = { id, revision: draft.revision, content: isSame && unsaved ? contentNow() : null };
    if (known.content !== null) useServerDraft.setState({ state: 'kept' });
  }
  keeper.changed();
}

function contentNow(): Content | null {
  const { project } = useEditor.getState();
  if (project === null) return null;
  const { name, layout, assets } = project;
  return { name, layout, assets, guides: useWork.getState().guides };
}

async function write(): Promise<boolean> {
  return inTurn(async () => {
    const place = placeNow();
    const content = contentNow();
    const version = useWork.getState().library?.version;
    const over = known;
    // The draft could not be read yet, so the change cannot be stored.
    if (place !== null && over === null) retry.report();
    if (place === null || content === null || version === undefined || over?.id !== place.id) return false;
    if (useDraftConflict.getState().conflict?.id === place.id) return false;
    const settle = (revision: number, stored: Content | null) => {
      if (known !== over) return false;
      known = { id: place.id, revision, content: stored };
      useServerDraft.setState({ state: stored === null ? 'none' : 'kept' });
      return true;
    };
    try {
      if (!isUnsaved(useEditor.getState())) {
        if (over.revision > 0) await deleteServerDraft(place, over.revision);
        return settle(0, null);
      }
      if (isEqual(over.content, content)) return settle(over.revision, content);
      const { assets, ...rest } = content;
      const revision = await writeServerDraft(
        place,
        { revision: over.revision, base_version: version },
        { ...rest, browser: thisBrowser() },
        assets === over.content?.assets ? undefined : assets,
      );
      return settle(revision, content);
    } catch (error) {
      if (isFinal(error)) return false;
      if (!(error instanceof ServerRefusal) || error.status !== 412) throw error;
      const draft = await readServerDraft(place);
      if (known !== over) return false;
      known = null;
      take(place, draft);
      return false;
    }
  });
}

/** Values are replaced when they change, so comparing object identity is enough. */
const isEqual = (a: Content | null, b: Content) =>
  a !== null && (Object.keys(b) as (keyof Content)[]).every((member) => a[member] === b[member]);

/** Loads unsaved work that another browser stored. Undo restores the layout that it replaces. */
function load({ account, id }: ProjectPlace, draft: StoredDraft): void {
  const { name, layout, guides } = contentOf(draft);
  const { project, change } = useEditor.getState();
  if (project === null) return;
  const assets = new Map([...project.assets, ...assetsOf(draft)]);
  useEditor.setState({ project: { ...project, name, assets } });
  change('Load the draft', () => currentLayout(layout));
  const latest = useWork.getState().library?.version ?? draft.base_version;
  // A save over a newer version than the work began from has to ask.
  useWork.setState({ guides, library: { account, version: draft.base_version } });
  known = { id, revision: draft.revision, content: contentNow() };
  useServerDraft.setState({ state: 'kept', elsewhere: null });
  if (latest > draft.base_version) showConflict({ account, id, version: latest });
}

/** Returns to what was on the screen before a draft was loaded. */
export function undoLoad({ name }: Project): void {
  const { undo, rename } = useEditor.getState();
  undo();
  rename(name);
}

/** Asks what to do with the unsaved work of another browser. */
export function askAboutDraft(): void {
  const place = placeNow();
  const { elsewhere } = useServerDraft.getState();
  if (place === null || elsewhere === null || useSaveConflict.getState().conflict !== null) return;
  showConflict({ ...place, version: elsewhere.base_version, draft: elsewhere });
}

export function loadOther(place: ProjectPlace, draft: StoredDraft): void {
  if (placeNow()?.id === place.id) load(place, draft);
}

/** Replaces the unsaved work of another browser by that of this one. */
export function keepMine({ id }: ProjectPlace, { revision }: StoredDraft): void {
  known = { id, revision, content: null };
  useServerDraft.setState({ elsewhere: null });
  keeper.changed();
  void keeper.keepNow();
}

/** Deletes the draft before the changes that it contains are discarded or become another project. */
export async function discardServerDraft(place: ProjectPlace): Promise<void> {
  if (known?.id !== place.id) return;
  const { revision } = known;
  known = null;
  await inTurn(() => deleteServerDraft(place, revision)).catch(() => undefined);
}
