import type { ProjectView } from '#bulkfill/operator-contract.ts';
import { ServerRefusal } from '../api/server-refusal.ts';
import { whenRestored } from '../drafts/draft-keeper.ts';
import { openDraft } from '../drafts/open-draft.ts';
import { useEditor } from '../editor/editor-store.ts';
import type { LibraryLink } from '../project/project.ts';
import { useWork } from '../project/work-store.ts';
import { isSignedIn, useSession } from '../shell/session.ts';
import { tell } from '../ui/messages.tsx';
import { isLibraryId, type ProjectPlace, readProject } from './library-api.ts';
import { openVersion, storeVersion } from './load-version.ts';
import { sameLayout } from './same-layout.ts';
import { showConflict } from './save-conflict.ts';

/** `missing`: neither this browser nor the account has it. `signed-out`: the account could not be asked. */
export type Opening = 'opened' | 'missing' | 'signed-out';

/**
 * Opens a project by the id in the address: its draft in this browser at once, or the latest version on the server. Whether the
 * draft is up to date is checked after it is open, because the server may be slow or away.
 */
export async function openProject(id: string, isStale: () => boolean): Promise<Opening> {
  if (await openDraft(id, isStale)) {
    if (isLibraryId(id) && !isStale()) followServer(id).catch(() => undefined);
    return 'opened';
  }
  if (!isLibraryId(id)) return 'missing';
  const signedIn = await isSignedIn();
  const { account } = useSession.getState();
  if (!signedIn || account === null) return 'signed-out';
  const place = { account, id };
  const latest = await readProject(place).catch(nullIfUnknown);
  if (latest === null) return 'missing';
  if (isStale()) return 'opened';
  await storeVersion(place, latest);
  return (await openDraft(id, isStale)) ? 'opened' : 'missing';
}

function nullIfUnknown(error: unknown): null {
  if (error instanceof ServerRefusal && error.status === 404) return null;
  throw error;
}

/** Compares the open draft with the server: a draft without changes gives way to a newer version, one with changes asks. */
export async function followServer(id: string): Promise<void> {
  await whenRestored();
  const { library } = useWork.getState();
  if (useEditor.getState().project?.id !== id || library === null || !(await isSignedIn())) return;
  const place = { account: library.account, id };
  const latest = await readProject(place).catch(nullIfUnknown);
  const isOther = () =>
    useEditor.getState().project?.id !== id || useWork.getState().library?.version !== library.version;
  if (isOther()) return;
  if (latest === null) return unlink(library);
  if (latest.version <= library.version) return;
  const { project: seen } = useEditor.getState();
  const isUnchanged = () => {
    const { project } = useEditor.getState();
    return !isOther() && project?.layout === seen?.layout && project?.name === seen?.name;
  };
  const contained = await isIn(place, latest);
  // Loading the version takes a moment, and what is changed meanwhile must not be lost.
  const stored = contained && isUnchanged() && (await storeVersion(place, latest, isUnchanged));
  if (isOther()) return;
  if (!stored) return showConflict({ ...place, version: latest.version });
  await openDraft(id, () => !isUnchanged());
}

/** Whether a version contains all that is on the screen: nothing has changed, or the page was closed right after a save. */
async function isIn(place: ProjectPlace, { name, version }: ProjectView): Promise<boolean> {
  const { project, savedLayout, savedName } = useEditor.getState();
  if (project === null || (project.layout === savedLayout && project.name === savedName)) return true;
  return project.name === name && sameLayout((await openVersion(place, version)).layout, project.layout);
}

/** The project was deleted on the server: what this browser has is unsaved work again. */
function unlink({ account }: LibraryLink): void {
  const name = useEditor.getState().project?.name ?? '';
  useEditor.setState({ savedLayout: null, savedName: null });
  useWork.setState({ library: null });
  tell('bad', `${name} is no longer in the account ${account}. Press Save to create it again.`);
}
