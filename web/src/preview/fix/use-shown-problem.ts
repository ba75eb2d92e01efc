import { useEffect } from 'react';
import { problemColumns } from '../../core/check/problem-columns.ts';
import { columnUsage } from '../../data/column-usage.ts';
import { showRow } from '../../data/show-row.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { tellError } from '../../ui/messages.tsx';
import { pointAt } from '../preview-store.ts';
import { useFix } from './fix-store.ts';
import type { SheetRow } from './sheet-rows.ts';

/** Shows the document of the active row beside the sheet and highlights the field of the active cell. */
export function useShownProblem(rows: readonly SheetRow[]): void {
  const active = useFix((fix) => fix.active);
  const layout = useEditor((editor) => editor.project?.layout);
  const line = rows.find(({ row }) => row === active?.row);
  const column = active?.column ?? null;
  const problems = line?.problems ?? [];
  const cause =
    layout === undefined || column === null
      ? problems[0]
      : problems.find((problem) => problemColumns(layout, problem).includes(column));
  const reader =
    layout === undefined || column === null ? undefined : columnUsage(layout, 0).readers.get(column)?.[0];
  const field = active === null ? null : (cause?.id ?? reader ?? null);
  useEffect(() => {
    if (active !== null) showRow(active.row).catch(tellError);
  }, [active]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another cell of the same field scrolls to the field again
  useEffect(() => pointAt(field), [field, active]);
  // The preview of another row must not keep the highlight.
  useEffect(() => () => pointAt(null), []);
}
