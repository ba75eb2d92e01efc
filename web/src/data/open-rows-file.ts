import { useEditor, whenRowsReturn } from '../editor/editor-store.ts';
import { engine } from '../engine/engine-client.ts';
import type { RowsFile, RowsReading, RowsState } from '../project/project.ts';
import { useWork } from '../project/work-store.ts';
import { say, tell, tellError } from '../ui/messages.tsx';
import { showRow } from './show-row.ts';
import { withColumns } from './with-columns.ts';

/** Larger files are rejected when they are read; copying them first would waste memory. */
const MAX_COPIED_BYTES = 128_000_000;

/** A copy of the chosen file, because the file on disk may change and undo needs the original content. */
export async function keepRowsFile({ file, fileName }: RowsFile): Promise<RowsFile> {
  const isKept = useWork.getState().rowsFile?.file === file;
  if (isKept || !(file instanceof File) || file.size > MAX_COPIED_BYTES) return { file, fileName };
  return { file: new Blob([await file.arrayBuffer()]), fileName };
}

const rowsNow = (): RowsState => {
  const { rows, rowsReading } = useEditor.getState();
  return { rows, reading: rowsReading, file: useWork.getState().rowsFile };
};

/** Makes the file's rows the project's, with the names of its columns, as one undo step. */
export async function applyRows(file: RowsFile, reading: RowsReading): Promise<void> {
  const id = useEditor.getState().project?.id;
  const opened = await engine.openRows(file.file, file.fileName, reading);
  if (!opened.ok) throw new Error(`${file.fileName} cannot be read: ${opened.message}`);
  const { project, replaceRows } = useEditor.getState();
  if (project === null || project.id !== id) return;
  const before = rowsNow();
  const sameFile = before.file?.file === file.file;
  useWork.setState({ rowsFile: file });
  replaceRows(
    sameFile ? `Read ${file.fileName} in another way` : `Use the rows of ${file.fileName}`,
    before,
    { rows: opened.rows, reading, file },
    (layout) => withColumns(layout, opened.rows, { sameFile, isOrdered: (reading.columns ?? null) !== null }),
  );
  await showRow(1);
  say(`${opened.rows.rowCount} rows in ${opened.rows.columnCount} columns`);
}

/** Opens the stored rows of a project. They name its columns if nothing else has; this cannot be undone. */
export async function showRows(file: RowsFile, reading: RowsReading, row: number): Promise<void> {
  const { project } = useEditor.getState();
  const opened = await engine.openRows(file.file, file.fileName, reading);
  if (!opened.ok || project === null || useEditor.getState().project?.id !== project.id) return;
  useWork.setState({ rowsFile: file });
  useEditor.getState().setRows(opened.rows, reading);
  if (project.layout.columns.length === 0) {
    const layout = withColumns(project.layout, opened.rows, { sameFile: false, isOrdered: false });
    useEditor.setState({ project: { ...project, layout }, layout });
  }
  await showRow(row);
}

whenRowsReturn((rows) => void bringBack(rows).catch(tellError));

async function bringBack({ file, reading }: RowsState): Promise<void> {
  if (useEditor.getState().project === null) return;
  useWork.setState({ rowsFile: file });
  if (file === null) await engine.closeRows();
  else {
    const opened = await engine.openRows(file.file, file.fileName, reading);
    if (!opened.ok) throw new Error(`${file.fileName} cannot be read: ${opened.message}`);
  }
  await showRow(1);
}

export async function removeRows(): Promise<void> {
  const { project, setRows, rowsReading } = useEditor.getState();
  const { rowsFile } = useWork.getState();
  await engine.closeRows();
  setRows(null, rowsReading);
  useWork.setState({ rowsFile: null });
  if (rowsFile === null) return;
  const undo = () => {
    if (useEditor.getState().project?.id !== project?.id) return;
    applyRows(rowsFile, rowsReading).catch(tellError);
  };
  tell('good', `${rowsFile.fileName} removed from the project`, { undo });
}
