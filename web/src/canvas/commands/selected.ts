import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { findOverlays } from '../../core/overlays/find-overlays.ts';
import { nameFields } from '../../core/overlays/patch-overlays.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { say } from '../../ui/messages.tsx';
import { useCanvas } from '../canvas-store.ts';

/** The selected overlays of the committed layout, in the order of their selection. */
export function selectedOverlays(): Overlay[] {
  const { project, selection } = useEditor.getState();
  return project === null ? [] : findOverlays(project.layout, selection);
}

/** The selected overlays that may be moved, resized or deleted. */
export function unlockedSelected(): Overlay[] {
  const { locked } = useCanvas.getState();
  return selectedOverlays().filter(({ id }) => !locked.has(id));
}

/** Makes one change to the unlocked selected overlays, named `verb F·1` or `verb 3 fields`. */
export function changeSelected(
  verb: string,
  update: (layout: Layout, overlays: readonly Overlay[]) => Layout,
): void {
  const overlays = unlockedSelected();
  const { project, change } = useEditor.getState();
  if (project === null) return;
  if (overlays.length === 0) {
    const { selection } = useEditor.getState();
    if (selection.length > 0) say(`${nameFields(project.layout, selection)}: locked`);
    return;
  }
  const label = `${verb} ${nameFields(
    project.layout,
    overlays.map(({ id }) => id),
  )}`;
  change(label, (layout) => update(layout, overlays));
  if (useEditor.getState().project?.layout === project.layout) say(`${label}: nothing to change`);
}
