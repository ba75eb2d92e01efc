import { ServerRefusal } from '../api/server-refusal.ts';
import { changeProjectId, keepDraftNow, whenRestored } from '../drafts/draft-keeper.ts';
import { newId } from '../drafts/new-id.ts';
import { useEditor } from '../editor/editor-store.ts';
import type { LayoutProblem } from '../engine/engine-client.ts';
import type { LibraryLink, Project } from '../project/project.ts';
import { useWork } from '../project/work-store.ts';
import { pdfPart, sealProject } from '../saving/seal-package.ts';
import { accountToUse, isSignedIn } from '../shell/session.ts';
import { createProject, isLibraryId, readProject, saveVersion } from './library-api.ts';
import { openVersion } from './load-version.ts';
import { sameLayout } from './same-layout.ts';
import { showConflict } from './save-conflict.ts';

export type SaveOutcome =
  | { readonly kind: 'saved'; readonly version: number }
  /** The user has to sign in, to choose an account, or to choose another name. */
  | { readonly kind: 'sign-in' | 'account' }
  | { readonly kind: 'name'; readonly error: ServerRefusal }
  | { readonly kind: 'problems'; readonly problems: readonly LayoutProblem[] }
  | { readonly kind: 'conflict' };

/** Saves the open project as a new version on the server, or as a new project. */
export async function saveToLibrary(): Promise<SaveOutcome | null> {
  // A click right after the project has opened must not find it without its link to the server.
  const [signedIn] = await Promise.all([isSignedIn(), whenRestored()]);
  const { project } = useEditor.getState();
  const { library } = useWork.getState();
  if (project === null) return null;
  if (!signedIn) return { kind: 'sign-in' };
  const account = library?.account ?? (await accountToUse());
  if (account === null) return { kind: 'account' };
  const sealed = await sealProject(project);
  if (!sealed.ok) return { kind: 'problems', problems: sealed.problems };
  try {
    const version =
      library === null
        ? await saveNew(account, project, sealed.bytes)
        : await saveNext(library, project, sealed.bytes);
    return version === null ? { kind: 'conflict' } : { kind: 'saved', version };
  } catch (error) {
    if (isAboutName(error)) return { kind: 'name', error };
    throw error;
  }
}

const isAboutName = (error: unknown): error is ServerRefusal =>
  error instanceof ServerRefusal &&
  (error.code === 'PROJECT_NAME_TAKEN' || (error.code === 'INVALID_FIELD' && /^name /.test(error.message)));

/** The key of the last create. The same name and package again are the same create, even if its response was lost. */
let created: { readonly name: string; readonly bytes: Blob; readonly key: string } | null = null;

async function saveNew(account: string, project: Project, bytes: Blob): Promise<number> {
  const name = project.name.normalize('NFC');
  if (created?.bytes !== bytes || created.name !== name) created = { name, bytes, key: newId() };
  const parts = { name, package: bytes, pdf: pdfPart(project.source) };
  const made = await createProject(account, parts, created.key);
  if (useEditor.getState().project?.id !== project.id) return made.version;
  const link = { account, version: made.version };
  if (isLibraryId(project.id)) {
    // A copy has the id of its original until now. With a link, its draft and its tab would be those of the original.
    await changeProjectId(made.project_id);
    settle({ ...project, id: made.project_id }, link);
    await keepDraftNow();
  } else {
    settle(project, link);
    await changeProjectId(made.project_id);
  }
  return made.version;
}

async function saveNext(library: LibraryLink, project: Project, bytes: Blob): Promise<number | null> {
  const place = { account: library.account, id: project.id };
  const { savedName } = useEditor.getState();
  const parts = {
    package: bytes,
    ...(savedName !== project.name && { name: project.name.normalize('NFC') }),
  };
  const saved = await saveVersion(place, library.version, parts).catch(async (error: unknown) => {
    if (!(error instanceof ServerRefusal) || (error.status !== 412 && error.status !== 404)) throw error;
    const latest = error.status === 404 ? null : await readProject(place);
    if (latest !== null && (await isOwnSave(project, latest))) return latest;
    showConflict({ ...place, version: latest?.version ?? null });
    return null;
  });
  if (saved !== null) {
    settle(project, { account: library.account, version: saved.version });
    await keepDraftNow();
  }
  return saved?.version ?? null;

  /** The response of an earlier attempt was lost: the latest version is what is on the screen. */
  async function isOwnSave(mine: Project, latest: { readonly name: string; readonly version: number }) {
    if (latest.version !== library.version + 1 || latest.name !== mine.name.normalize('NFC')) return false;
    const { layout } = await openVersion(place, latest.version);
    return sameLayout(layout, mine.layout);
  }
}

/** Marks what was sent as saved. Changes that were made meanwhile stay unsaved. */
function settle({ id, layout, name }: Project, library: LibraryLink): void {
  if (useEditor.getState().project?.id !== id) return;
  useEditor.setState({ savedLayout: layout, savedName: name });
  useWork.setState({ library });
}
