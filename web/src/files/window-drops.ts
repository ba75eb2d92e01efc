import { holdsPictures, takePictures } from '../data/pictures/take-pictures.ts';
import { takeRows, useIntake } from '../data/rows-intake.ts';
import { useEditor } from '../editor/editor-store.ts';
import { freshReading } from '../project/project.ts';
import { tell, tellError } from '../ui/messages.tsx';
import { droppedFiles } from './dropped-files.ts';
import { sortFiles } from './sort-files.ts';

/**
 * Handles files that are dropped outside every drop target, which would make the browser leave the page. The editor accepts a
 * rows file anywhere and rejects other files with a message.
 */
export function acceptWindowDrops(): () => void {
  const over = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (event.defaultPrevented || files.length === 0) return;
    event.preventDefault();
    const { rows } = sortFiles(files);
    if (rows !== null) takeDropped(rows).catch(tellError);
    else if (event.dataTransfer !== null) takeOthers(event.dataTransfer).catch(tellError);
  };
  window.addEventListener('dragover', over);
  window.addEventListener('drop', drop);
  return () => {
    window.removeEventListener('dragover', over);
    window.removeEventListener('drop', drop);
  };
}

async function takeOthers(transfer: DataTransfer): Promise<void> {
  const files = await droppedFiles(transfer);
  if (holdsPictures(files)) {
    await takePictures(files);
    useEditor.getState().showPanel('data');
    return;
  }
  const name = files[0]?.file.name ?? 'This folder';
  tell('bad', `${name} is not a CSV or Excel file. Open other files on the start screen.`);
}

async function takeDropped(file: File): Promise<void> {
  const { rowsReading, showPanel, panel } = useEditor.getState();
  await takeRows({ file, fileName: file.name }, freshReading(rowsReading));
  const { intake } = useIntake.getState();
  if (intake?.at === 'refused') tell('bad', `${file.name} cannot be read: ${intake.message}`);
  else if (panel === 'fields') showPanel('data');
}
