import { AssetsRefused } from '#fill/draw/images/asset-limits.ts';
import { assetLimits } from '../../api/server-settings.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { useWork } from '../../project/work-store.ts';
import { tell } from '../../ui/messages.tsx';
import type { PickedFile } from './read-pictures.ts';

/** Uses a folder or a ZIP of pictures for the rows. Pictures that cannot be used leave the previous ones in place. */
export async function takePictures(files: readonly PickedFile[]): Promise<void> {
  if (files.length === 0) return;
  const id = useEditor.getState().project?.id;
  try {
    // Loaded when needed: it knows the picture formats.
    const { readPictures } = await import('./read-pictures.ts');
    const pictures = await readPictures(files, await assetLimits());
    if (useEditor.getState().project?.id !== id) return;
    useWork.setState({ pictures });
    tell('good', `${pictures.files.size.toLocaleString()} pictures of ${pictures.name} added`);
  } catch (error) {
    if (!(error instanceof AssetsRefused)) throw error;
    const what = files.length === 1 ? files[0]?.file.name : 'The folder';
    tell('bad', `${what} cannot be used: ${error.message}.`);
  }
}

/** Whether dropped files are pictures, a ZIP or a folder, by their names. */
export const holdsPictures = (files: readonly PickedFile[]): boolean =>
  files.some(({ path }) => path.includes('/') || /\.(?:zip|png|jpe?g)$/i.test(path));

export function removePictures(): void {
  const { pictures } = useWork.getState();
  const id = useEditor.getState().project?.id;
  if (pictures === null) return;
  useWork.setState({ pictures: null });
  const undo = () => {
    if (useEditor.getState().project?.id === id) useWork.setState({ pictures });
  };
  tell('good', `${pictures.name} removed from the project`, { undo });
}
