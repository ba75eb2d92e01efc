import { openRowsFile } from '../data/open-rows-file.ts';
import { useEditor } from '../editor/editor-store.ts';
import { tell, tellError } from '../ui/messages.tsx';
import { sortFiles } from './sort-files.ts';

/**
 * A file dropped beside every target would make the browser leave the page. In the editor a rows file is welcome
 * anywhere; any other file is refused with a word.
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
    if (rows === null)
      tell('bad', `${files[0]?.name} is no CSV or Excel file. Other files are opened on the start screen.`);
    else takeRows(rows).catch(tellError);
  };
  window.addEventListener('dragover', over);
  window.addEventListener('drop', drop);
  return () => {
    window.removeEventListener('dragover', over);
    window.removeEventListener('drop', drop);
  };
}

async function takeRows(file: File): Promise<void> {
  const { rowsReading, showPanel, panel } = useEditor.getState();
  const opened = await openRowsFile(file, file.name, { ...rowsReading, delimiter: null, encoding: null });
  if (!opened.ok) tell('bad', `${file.name} cannot be read: ${opened.message}`);
  else if (panel === 'fields') showPanel('data');
}
