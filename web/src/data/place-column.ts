import { addOverlays, newOverlay, sizeOfNew } from '../core/overlays/new-overlay.ts';
import { columnName } from '../core/overlays/value-words.ts';
import { useEditor } from '../editor/editor-store.ts';

/** Adds a text field in the middle of the page, below the last one: the keyboard alternative to dragging a column. */
export function placeColumn(key: string): void {
  const { project, page, change } = useEditor.getState();
  const paper = project?.source.pages[page - 1];
  if (project === null || paper === undefined) return;
  const { layout } = project;
  const { width, height } = sizeOfNew(layout, 'text');
  const x = (paper.width - width) / 2;
  const taken = (y: number) =>
    layout.overlays.some(
      (other) => other.page === page && Math.abs(other.x - x) < 1 && Math.abs(other.y - y) < height,
    );
  let y = (paper.height - height) / 2;
  while (taken(y) && y + 2 * height < paper.height) y += height + 4;
  const overlay = newOverlay(layout, 'text', { page, x, y }, { value: { column: key } });
  change(`Add ${columnName(layout, key)}`, (before) => addOverlays(before, [overlay]), [overlay.id]);
}
