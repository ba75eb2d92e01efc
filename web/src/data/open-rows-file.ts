import { type CellPatches, differInPatchesOnly } from '../core/rows/cell-patches.ts';
import { useEditor } from '../editor/editor-store.ts';
import { engine } from '../engine/engine-client.ts';
import { fileDigest } from '../files/file-digest.ts';
import type { RowsFile, RowsReading, RowsState } from '../project/project.ts';
import { useWork } from '../project/work-store.ts';
import { say, tellError } from '../ui/messages.tsx';
import {
  isSameShape,
  tellDropped,
  withOwnCorrections,
  withoutForeignCorrections,
  withoutUnfitting,
} from './kept-corrections.ts';
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

export const rowsNow = (): RowsState => {
  const { rows, rowsReading } = useEditor.getState();
  return { rows, reading: rowsReading, file: useWork.getState().rowsFile };
};

/** Makes the file's rows the project's, with the names of its columns, as one undo step. */
export async function applyRows(file: RowsFile, wanted: RowsReading): Promise<void> {
  const { project: openProject, rowsReading } = useEditor.getState();
  const id = openProject?.id;
  const known = rowsReading.patches ?? null;
  const asked = await withOwnCorrections(file, wanted, known);
  const opened = await engine.openRows(file.file, file.fileName, asked);
  if (!opened.ok) throw new Error(`${file.fileName} cannot be read: ${opened.message}`);
  const { project, replaceRows } = useEditor.getState();
  if (project === null || project.id !== id) return;
  const before = rowsNow();
  const reading = withoutUnfitting(asked, opened);
  const sameFile = before.file?.file === file.file;
  useWork.setState({ rowsFile: file });
  replaceRows(nameOfStep(before, file, reading), before, { rows: opened.rows, reading, file }, (layout) =>
    withColumns(layout, opened.rows, { sameFile, isOrdered: (reading.columns ?? null) !== null }),
  );
  await showRow(1);
  say(`${opened.rows.rowCount} rows in ${opened.rows.columnCount} columns`);
  if (asked.patches === undefined || asked.patches === null)
    tellDropped(known, file.fileName, isSameShape(before.rows, opened.rows) ? () => reapply(known) : null);
}

/** Applies the corrections of the previous file to the current one, each where the cell has the text that was corrected. */
function reapply(known: CellPatches | null): void {
  const { rowsFile } = useWork.getState();
  if (known === null || rowsFile === null) return;
  const apply = async () => {
    const patches = { ...known, file: await fileDigest(rowsFile.file) };
    await applyRows(rowsFile, { ...useEditor.getState().rowsReading, patches });
  };
  apply().catch(tellError);
}

/** Opens the stored rows of a project. They name its columns if nothing else has; this cannot be undone. */
export async function showRows(file: RowsFile, stored: RowsReading, row: number): Promise<void> {
  const id = useEditor.getState().project?.id;
  const own = await withoutForeignCorrections(file, stored);
  const opened = await engine.openRows(file.file, file.fileName, own);
  // The project as it is now: fields may have been placed while the rows were read.
  const { project, setRows, amend } = useEditor.getState();
  if (!opened.ok || project === null || project.id !== id) return;
  useWork.setState({ rowsFile: file });
  setRows(opened.rows, withoutUnfitting(own, opened));
  if (project.layout.columns.length === 0)
    amend((layout) => withColumns(layout, opened.rows, { sameFile: false, isOrdered: false }));
  await showRow(row);
}

function nameOfStep(before: RowsState, { file, fileName }: RowsFile, reading: RowsReading): string {
  if (before.file?.file !== file) return `Use the rows of ${fileName}`;
  if (differInPatchesOnly(before.reading, reading)) return `Apply corrections to ${fileName}`;
  const { columns: _, ...how } = reading;
  const { columns: __, ...howBefore } = before.reading;
  if (JSON.stringify(how) === JSON.stringify(howBefore)) return `Change the columns of ${fileName}`;
  return `Read ${fileName} in another way`;
}

/** Opens the rows that undo or redo restored; the store already holds their facts. If only corrections differ, the row stays. */
export async function bringBackRows({ file, reading }: RowsState, isSameRow: boolean): Promise<void> {
  useWork.setState({ rowsFile: file });
  if (file === null) await engine.closeRows();
  else {
    const opened = await engine.openRows(file.file, file.fileName, reading);
    if (!opened.ok) throw new Error(`${file.fileName} cannot be read: ${opened.message}`);
  }
  await showRow(isSameRow ? useEditor.getState().previewRow : 1);
}

/** Takes the rows out of use; how they were read stays. */
export async function closeRows(): Promise<void> {
  await engine.closeRows();
  useEditor.getState().setRows(null, useEditor.getState().rowsReading);
  useWork.setState({ rowsFile: null });
}
