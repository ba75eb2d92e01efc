import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { contains } from '../core/geometry/rect.ts';
import { findOverlay } from '../core/overlays/find-overlays.ts';
import { newOverlayInBox } from '../core/overlays/fit-into-box.ts';
import { addOverlays, newOverlay, sizeOfNew } from '../core/overlays/new-overlay.ts';
import { nameFields, patchOverlays } from '../core/overlays/patch-overlays.ts';
import { readColumn } from '../core/overlays/read-column.ts';
import { columnName } from '../core/overlays/value-words.ts';
import { pageAtHeight, toPage } from '../core/pages/page-column.ts';
import { isTickBox } from '../core/snapping/printed-boxes.ts';
import { useEditor } from '../editor/editor-store.ts';
import { focusOverlay, writableBox } from './canvas-host.ts';
import { pageColumn, toColumnPoint } from './viewport.ts';

/** The drag data type of the data panel; the data is the key of a column. */
export const COLUMN_DRAG = 'application/x-rowpress-column';

/**
 * A column dropped on a page creates a text field, which fills the printed box under the pointer; in a box for a mark it
 * creates a check mark. Dropped on a field, it is added to the field's value.
 */
export function acceptColumns(scroller: HTMLElement): () => void {
  const over = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes(COLUMN_DRAG) !== true) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
  };
  const drop = (event: DragEvent) => {
    const key = event.dataTransfer?.getData(COLUMN_DRAG) ?? '';
    if (!/^column_\d+$/.test(key)) return;
    event.preventDefault();
    const onto = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-overlay]') : null;
    if (onto?.dataset.overlay !== undefined) joinColumn(onto.dataset.overlay, key);
    else placeColumn(key, { x: event.clientX, y: event.clientY });
  };
  scroller.addEventListener('dragover', over);
  scroller.addEventListener('drop', drop);
  return () => {
    scroller.removeEventListener('dragover', over);
    scroller.removeEventListener('drop', drop);
  };
}

function placeColumn(key: string, client: { x: number; y: number }): void {
  const { project, change } = useEditor.getState();
  const at = toColumnPoint(client);
  const page = pageAtHeight(pageColumn(), at.y);
  if (project === null || page === undefined || !contains(page, at)) return;
  const { x, y } = toPage(page, at);
  const box = writableBox(page.number, { x, y });
  const value = { column: key };
  const place = { page: page.number, x, y: y - sizeOfNew(project.layout, 'text').height / 2 };
  const overlay =
    box === null
      ? newOverlay(project.layout, 'text', place, { value })
      : newOverlayInBox(project.layout, isTickBox(box) ? 'check' : 'text', page.number, box, value);
  const label = `Add ${columnName(project.layout, key)}`;
  change(label, (layout) => addOverlays(layout, [overlay]), [overlay.id]);
  focusOverlay(overlay.id);
}

/** A second column on a field makes a template of both; a fixed text is replaced. */
function joinColumn(id: string, key: string): void {
  const { project, change } = useEditor.getState();
  const overlay = project === null ? undefined : findOverlay(project.layout, id);
  if (project === null || overlay === undefined) return;
  const label = `Put ${columnName(project.layout, key)} into ${nameFields(project.layout, [id])}`;
  change(label, (layout: Layout) => patchOverlays(layout, [id], (one) => withColumn(layout, one, key)), [id]);
}

export function withColumn(layout: Layout, overlay: Overlay, key: string): Overlay {
  if (overlay.type === 'table') return readColumn(layout, overlay, key);
  const { value } = overlay;
  if (value === undefined || 'static' in value) return readColumn(layout, overlay, key);
  const before = 'column' in value ? `{{${value.column}}}` : value.template;
  if ('column' in value && value.column === key) return overlay;
  return { ...overlay, value: { template: `${before} {{${key}}}` } };
}
