import { groupMates } from '../../core/overlays/choice-groups.ts';
import { nameFields, patchOverlays } from '../../core/overlays/patch-overlays.ts';
import { readColumn } from '../../core/overlays/read-column.ts';
import { columnName, columnsOf } from '../../core/overlays/value-words.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { isSticker } from '../../kinds/tools.ts';
import { say } from '../../ui/messages.tsx';
import { selectedOverlays } from './selected.ts';

/** Makes the selected fields, and the choice groups of selected boxes, read a column. A sticker has no value. */
export function bindSelected(column: string): void {
  const { project, change } = useEditor.getState();
  if (project === null) return;
  const { layout } = project;
  // All boxes of a choice group read the same column.
  const ids = [
    ...new Set(
      selectedOverlays().flatMap((overlay) => (isSticker(overlay) ? [] : groupMates(layout, overlay.id))),
    ),
  ];
  if (ids.length === 0) return;
  change(`Bind ${nameFields(layout, ids)} to ${columnName(layout, column)}`, (before) =>
    patchOverlays(before, ids, (overlay) =>
      overlay.value !== undefined && 'column' in overlay.value && overlay.value.column === column
        ? overlay
        : readColumn(before, overlay, column),
    ),
  );
}

/** Selects every field on any page that reads a column of the selected fields. */
export function selectSameColumn(): void {
  const { project, select } = useEditor.getState();
  if (project === null) return;
  const columns = new Set(selectedOverlays().flatMap(columnsOf));
  const ids = project.layout.overlays
    .filter((overlay) => columnsOf(overlay).some((key) => columns.has(key)))
    .map(({ id }) => id);
  select(ids);
  const names = [...columns].map((key) => columnName(project.layout, key)).join(', ');
  say(`Selected ${ids.length === 1 ? '1 field' : `${ids.length} fields`} with ${names}`);
}
