import { useEditor } from '../editor/editor-store.ts';
import { engine } from '../engine/engine-client.ts';
import { say } from '../ui/messages.tsx';

let lastAsked = 0;

/** Makes `row` the preview row. A later call supersedes an earlier one. */
export async function showRow(row: number): Promise<void> {
  const { rows, openings } = useEditor.getState();
  if (rows === null) return;
  const before = useEditor.getState().previewRow;
  const wanted = Math.min(Math.max(1, Math.trunc(row) || 1), rows.rowCount);
  lastAsked += 1;
  const asked = lastAsked;
  const [cells = []] = await engine.readRows(wanted, 1);
  // The cells of another project's rows must not be shown.
  if (asked !== lastAsked || useEditor.getState().openings !== openings) return;
  useEditor.getState().showRow(wanted, cells);
  if (wanted !== before) say(`Row ${wanted} of ${rows.rowCount}`);
}
