import { showRow } from '../data/show-row.ts';
import { useEditor } from '../editor/editor-store.ts';
import { pointAt } from './preview-store.ts';

/** Opens a row in the preview and highlights one of its fields. */
export async function openProblem(row: number, field: string | null): Promise<void> {
  await showRow(row);
  pointAt(field);
  useEditor.getState().showPanel('preview');
}
