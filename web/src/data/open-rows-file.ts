import type { Layout } from '../../../src/fill/package/layout-schema.ts';
import { useEditor } from '../editor/editor-store.ts';
import type { RowsInfo, RowsReading } from '../editor/project.ts';
import { type EngineRefusal, engine } from '../engine/engine-client.ts';
import { saveDraftRows } from '../files/drafts.ts';
import { useWork } from '../files/work-store.ts';
import { say } from '../ui/messages.tsx';
import { showRow } from './show-row.ts';

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
  await engine.closeRows();
  setRows(null, rowsReading);
  useWork.setState({ rowsFile: null });
  if (project !== null) await saveDraftRows(project.id, null);
}

const MAX_LABEL = 200;

/** A column for each of the file's; a header gives its label. Without a header, labels that somebody gave stay. */
export function withColumns(
  layout: Layout,
  rows: Pick<RowsInfo, 'header' | 'columnCount'>,
  replaced: boolean,
): Layout {
  const known = new Map(layout.columns.map(({ key, label }) => [key, label]));
  const columns = Array.from({ length: rows.columnCount }, (_, index) => {
    const key = `column_${index}`;
    const fromHeader = rows.header?.[index]?.trim().slice(0, MAX_LABEL);
    const kept = replaced && rows.header === null ? '' : (known.get(key) ?? '');
    return { key, label: fromHeader || kept };
  });
  const same =
    columns.length === layout.columns.length && columns.every(({ key, label }) => known.get(key) === label);
  return same ? layout : { ...layout, columns };
}
