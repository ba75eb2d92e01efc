import type { ProjectView } from '#bulkfill/operator-contract.ts';
import { ServerRefusal } from '../api/server-refusal.ts';
import { type DraftWork, loadDraft, loadDraftFacts, loadDraftWork, replaceDraft } from '../drafts/drafts.ts';
import { openDraft } from '../drafts/open-draft.ts';
import { isSignedIn, useSession } from '../shell/session.ts';
import { tell, tellError } from '../ui/messages.tsx';
import { isLibraryId, type ProjectPlace, readProject } from './library-api.ts';
import { openVersion, storeVersion } from './load-version.ts';
import { sameLayout } from './same-layout.ts';
import { showConflict } from './save-conflict.ts';

/** `missing`: neither this browser nor the account has it. `signed-out`: the account could not be asked. */
export type Opening = 'opened' | 'missing' | 'signed-out';

/**
 * Opens a project by the id in the address: its draft in this browser, or the latest version on the server. A draft without
 * changes gives way to a newer version.
 */
export async function openProject(id: string, isStale: () => boolean): Promise<Opening> {
  const opened = async () => ((await openDraft(id, isStale)) ? 'opened' : 'missing');
  if (!isLibraryId(id)) return opened();
  const work = await loadDraftWork(id);
  const signedIn = await isSignedIn().catch(() => false);
  const account = work?.library?.account ?? useSession.getState().account;
  if (!signedIn || account === null) return work === null ? 'signed-out' : opened();
  const place = { account, id };
  const latest = await readProject(place).catch((error: unknown) => {
    if (isNotFound(error)) return null;
    // Without the server, the draft is all there is.
    if (work === null) throw error;
    tellError(error);
    return undefined;
  });
  if (latest === null && work !== null) await unlink(place, work);
  const isNewer = latest && work?.library?.version !== latest.version;
  const hasChanges = isNewer && work !== null && !(await isIn(place, work, latest));
  if (latest && isNewer && !hasChanges) await storeVersion(place, latest);
  const opening = await opened();
  if (latest && hasChanges && !isStale()) showConflict({ ...place, version: latest.version });
  return opening;
}

/** Whether a version contains all that a draft has: the draft has no changes, or they were saved and the page was closed at once. */
async function isIn(place: ProjectPlace, work: DraftWork, { name, version }: ProjectView): Promise<boolean> {
  const { layout, savedLayout, savedName } = work;
  if (JSON.stringify(layout) === JSON.stringify(savedLayout) && work.name === savedName) return true;
  return work.name === name && sameLayout((await openVersion(place, version)).layout, layout);
}

const isNotFound = (error: unknown) => error instanceof ServerRefusal && error.status === 404;

/** The project was deleted on the server: what this browser has is unsaved work again. */
async function unlink({ account, id }: ProjectPlace, work: DraftWork): Promise<void> {
  const [draft, facts] = await Promise.all([loadDraft(id), loadDraftFacts(id)]);
  if (draft === null || facts === null || !work.library) return;
  const unsaved = { ...work, library: null, savedLayout: null, savedName: null };
  await replaceDraft(id, draft.project.source, unsaved, facts);
  tell('bad', `${work.name} is no longer in the account ${account}. Press Save to create it again.`);
}
