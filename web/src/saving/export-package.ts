import { useEditor } from '../editor/editor-store.ts';
import { downloadBlob } from '../files/download-blob.ts';
import { isSignedIn } from '../shell/session.ts';
import { tell } from '../ui/messages.tsx';
import { fileStem } from './file-stem.ts';
import type { SaveWindow } from './save-windows.tsx';
import { sealProject } from './seal-package.ts';

/** Downloads the open project as a sealed package. Returns the question that has to be answered first, if there is one. */
export async function exportPackage(): Promise<SaveWindow | null> {
  const { project } = useEditor.getState();
  if (project === null) return null;
  if (!(await isSignedIn())) return { at: 'sign-in', for: 'export' };
  const sealed = await sealProject(project);
  if (!sealed.ok) return { at: 'problems', problems: sealed.problems };
  const fileName = `${fileStem(project.name)}.doqlo`;
  downloadBlob(sealed.bytes, fileName);
  tell('good', `Exported ${fileName}`);
  return null;
}
