import { useEditor } from '../editor/editor-store.ts';
import type { RowsReading } from '../editor/project.ts';
import { type EngineRefusal, engine } from '../engine/engine-client.ts';
import { saveDraftRows } from '../files/drafts.ts';
import { useWork } from '../files/work-store.ts';
import { say, tell, tellError } from '../ui/messages.tsx';
import { showRow } from './show-row.ts';
import { withColumns } from './with-columns.ts';

/** Opens a rows file for the project; on refusal the rows that were there stay. */
export async function openRowsFile(
  file: Blob,
  fileName: string,
  reading: RowsReading,
): Promise<{ ok: true } | EngineRefusal> {
  const opened = await engine.openRows(file, fileName, reading);
  if (!opened.ok) return opened;
  const { project, setRows, change, rows: before } = useEditor.getState();
  if (project === null) return { ok: true };
  setRows(opened.rows, reading);
  change(`Name columns after ${fileName}`, (layout) => withColumns(layout, opened.rows, before !== null));
  if (useWork.getState().rowsFile?.file !== file) {
    await saveDraftRows(project.id, { fileName, file });
    useWork.setState({ rowsFile: { fileName, file } });
  }
  await showRow(1);
  say(`${opened.rows.rowCount} rows in ${opened.rows.columnCount} columns`);
  return { ok: true };
}

export async function removeRows(): Promise<void> {
  const { project, setRows, rowsReading } = useEditor.getState();
  const { rowsFile } = useWork.getState();
  await engine.closeRows();
  setRows(null, rowsReading);
  useWork.setState({ rowsFile: null });
  if (project !== null) await saveDraftRows(project.id, null);
  if (rowsFile === null) return;
  const { file, fileName } = rowsFile;
  const undo = () => {
    if (useEditor.getState().project?.id !== project?.id) return;
    openRowsFile(file, fileName, rowsReading).catch(tellError);
  };
  tell('good', `${fileName} was removed from the project.`, { undo });
}
