import { problemColumns } from '../../core/check/problem-columns.ts';
import { columnIndex } from '../../core/overlays/value-words.ts';
import { patchedCells } from '../../core/rows/cell-patches.ts';
import { correctCells } from '../../data/correct-cells.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { engine } from '../../engine/engine-client.ts';
import { tellError } from '../../ui/messages.tsx';
import { currentReport } from '../preview-store.ts';
import { useFix } from './fix-store.ts';

/** Corrects one cell. The sheet shows the new text at once. */
export function correct(row: number, column: string, text: string): Promise<void> {
  const pending = { row, column, text };
  useFix.setState({ pending });
  return correctCells([pending])
    .catch(tellError)
    .finally(() => useFix.setState((now) => (now.pending === pending ? { pending: null } : {})));
}

/** Rows that have a problem in this column and the same text there. */
export async function sameRows(column: string, text: string): Promise<readonly number[]> {
  const layout = useEditor.getState().project?.layout;
  if (layout === undefined) return [];
  const rows = (currentReport()?.listed ?? [])
    .filter(({ problems }) => problems.some((problem) => problemColumns(layout, problem).includes(column)))
    .map(({ row }) => row);
  const cells = await engine.pickRows(rows);
  return rows.filter((_, index) => (cells[index]?.[columnIndex(column)] ?? '') === text);
}

/** Gives a cell and all problem rows with its old text in the same column the same new text, as one undo step. */
export async function correctAllTheSame(
  row: number,
  column: string,
  old: string,
  text: string,
): Promise<void> {
  const rows = new Set([row, ...(await sameRows(column, old))]);
  await correctCells([...rows].map((each) => ({ row: each, column, text })));
}

/** The text of a corrected cell in the file; undefined if the cell is not corrected. */
export function textInFile(row: number, column: string): string | undefined {
  const { patches } = useEditor.getState().rowsReading;
  return patchedCells(patches).find((patch) => patch.row === row && patch.column === column)?.was;
}
