import { columnIndex, columnName } from '../core/overlays/value-words.ts';
import { type CellPatches, patchedCells, rowsThatDiffer, withPatches } from '../core/rows/cell-patches.ts';
import { useEditor } from '../editor/editor-store.ts';
import { engine } from '../engine/engine-client.ts';
import { fileDigest } from '../files/file-digest.ts';
import type { RowsReading } from '../project/project.ts';
import { useWork } from '../project/work-store.ts';
import { showRow } from './show-row.ts';

/** A new text for a cell; `column` is the project's key. */
export interface CellEdit {
  readonly row: number;
  readonly column: string;
  readonly text: string;
}

/** Whether a column of the project is filled by a column of the file; a blank one has no cells to correct. */
export const isCorrectable = ({ columns = null }: RowsReading, column: string): boolean =>
  columns === null || (columns[columnIndex(column)] ?? null) !== null;

/** Corrections are applied one after the other, because each builds on the one before. */
let last: Promise<unknown> = Promise.resolve();

/** Corrects cells over the file as one undo step. The file itself stays as it is. */
export function correctCells(edits: readonly CellEdit[]): Promise<void> {
  const done = last.then(() => apply(edits));
  last = done.catch(() => undefined);
  return done;
}

async function apply(edits: readonly CellEdit[]): Promise<void> {
  const { project, rowsReading: reading } = useEditor.getState();
  const { rowsFile: file } = useWork.getState();
  if (project === null || file === null) return;
  const lines = await engine.pickRows(edits.map(({ row }) => row));
  const further = edits.map((edit, index) => ({
    ...edit,
    was: lines[index]?.[columnIndex(edit.column)] ?? '',
  }));
  const before = patchedCells(reading.patches);
  const cells = withPatches(before, further);
  if (rowsThatDiffer(before, cells).length === 0) return;
  const patches: CellPatches = { file: await fileDigest(file.file), cells };
  await openWith({ ...reading, patches }, labelOf(edits));
}

/** Opens the same file with other corrections, as one undo step. */
async function openWith(next: RowsReading, label: string): Promise<void> {
  const { project, rows, rowsReading: reading } = useEditor.getState();
  const { rowsFile: file } = useWork.getState();
  if (project === null || file === null) return;
  const opened = await engine.openRows(file.file, file.fileName, next);
  if (!opened.ok) throw new Error(`${file.fileName} cannot be read: ${opened.message}`);
  const now = useEditor.getState();
  if (now.project?.id !== project.id || now.rowsReading !== reading) return openCurrentRows();
  now.replaceRows(
    label,
    { rows, reading, file },
    { rows: opened.rows, reading: next, file },
    (layout) => layout,
  );
  await showRow(useEditor.getState().previewRow);
}

/** The rows were replaced while a correction was applied: the engine must have the current ones open. */
async function openCurrentRows(): Promise<void> {
  const { rowsFile } = useWork.getState();
  if (rowsFile === null) await engine.closeRows();
  else await engine.openRows(rowsFile.file, rowsFile.fileName, useEditor.getState().rowsReading);
}

function labelOf(edits: readonly CellEdit[]): string {
  const layout = useEditor.getState().project?.layout;
  const [first] = edits;
  if (first === undefined || layout === undefined) return 'Correct cells';
  const name = columnName(layout, first.column);
  return edits.length === 1
    ? `Correct ${name} in row ${first.row}`
    : `Correct ${name} in ${edits.length} rows`;
}
