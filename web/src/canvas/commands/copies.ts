import type { Point } from '../../core/geometry/rect.ts';
import { duplicate, paste, pasteAround } from '../../core/overlays/copies.ts';
import { nameFields, removeOverlays } from '../../core/overlays/patch-overlays.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { say } from '../../ui/messages.tsx';
import { focusOverlay } from '../canvas-host.ts';
import { setLocked, useCanvas } from '../canvas-store.ts';
import { changeSelected, selectedOverlays } from './selected.ts';

/** Copies are kept in the app, because pages served over plain http cannot use the system clipboard. */
export function copySelected(): void {
  const copied = selectedOverlays();
  if (copied.length === 0) return;
  useCanvas.setState({ copied, pastes: 0 });
  say(`Copied ${copied.length === 1 ? 'one field' : `${copied.length} fields`}`);
}

export function cutSelected(): void {
  copySelected();
  deleteSelected('Cut');
}

/** Pastes on the current page, or around a point of the given one. */
export function pasteCopied(at: { page?: number; point?: Point | null } = {}): void {
  const { copied, pastes } = useCanvas.getState();
  const { project, page: current, change } = useEditor.getState();
  const page = at.page ?? current;
  const size = project?.source.pages[page - 1];
  if (project === null || size === undefined || copied.length === 0) return;
  const point = at.point ?? null;
  const made =
    point === null
      ? paste(project.layout, copied, page, size, pastes + 1)
      : pasteAround(project.layout, copied, page, size, point);
  useCanvas.setState({ pastes: pastes + 1 });
  change(`Paste ${nameFields(made.layout, made.ids)} on page ${page}`, () => made.layout, made.ids);
  if (made.ids[0] !== undefined) focusOverlay(made.ids[0]);
}

export function duplicateSelected(): void {
  const { project, change } = useEditor.getState();
  const originals = selectedOverlays();
  if (project === null || originals.length === 0) return;
  const made = duplicate(project.layout, originals);
  change(
    `Duplicate ${nameFields(
      project.layout,
      originals.map(({ id }) => id),
    )}`,
    () => made.layout,
    made.ids,
  );
  if (made.ids[0] !== undefined) focusOverlay(made.ids[0]);
}

export function deleteSelected(verb = 'Delete'): void {
  changeSelected(verb, (layout, overlays) =>
    removeOverlays(
      layout,
      overlays.map(({ id }) => id),
    ),
  );
}

export function toggleLock(): void {
  const { project, selection } = useEditor.getState();
  if (project === null || selection.length === 0) return;
  const locked = !selection.every((id) => useCanvas.getState().locked.has(id));
  setLocked(project.id, selection, locked);
  say(`${locked ? 'Locked' : 'Unlocked'} ${nameFields(project.layout, selection)}`);
}

export function selectAllOnPage(wanted?: number): void {
  const { project, page: current, select } = useEditor.getState();
  const page = wanted ?? current;
  if (project === null) return;
  const ids = project.layout.overlays.filter((overlay) => overlay.page === page).map(({ id }) => id);
  select(ids);
  say(`Selected ${ids.length} fields on page ${page}`);
}
