import { boundsOf } from '../core/geometry/box.ts';
import { overlaysOn } from '../core/overlays/find-overlays.ts';
import { findPage } from '../core/pages/page-column.ts';
import { joinTargets, NO_TARGETS, targetsOfBoxes, targetsOfPage } from '../core/snapping/snap-lines.ts';
import { useEditor } from '../editor/editor-store.ts';
import { setTool, useCanvas } from './canvas-store.ts';
import type { GestureHost } from './gestures/gesture.ts';
import { knownTemplateTargets } from './template-targets.ts';
import { pageColumn, scrollBy } from './viewport.ts';

/** The part of the editor that pointer states can use. */
export const canvasHost: GestureHost = {
  layout: () => {
    const layout = useEditor.getState().project?.layout;
    if (layout === undefined) throw new Error('bug: a gesture began while no project is open');
    return layout;
  },
  selection: () => useEditor.getState().selection,
  isLocked: (id) => useCanvas.getState().locked.has(id),
  column: pageColumn,
  scale: () => useCanvas.getState().scale,
  tool: () => useCanvas.getState().tool,
  snapTargets: (number, moving) => {
    const { project } = useEditor.getState();
    const page = findPage(pageColumn(), number);
    if (project === null || page === undefined) return NO_TARGETS;
    const others = overlaysOn(project.layout, number).filter(({ id }) => !moving.includes(id));
    return joinTargets(
      targetsOfBoxes(others.map(boundsOf)),
      targetsOfPage(page),
      knownTemplateTargets(project.source.bytes, number),
    );
  },
  select: (ids) => useEditor.getState().select(ids),
  draft: (layout) => useEditor.getState().draft(layout),
  change: (label, update, selection) => useEditor.getState().change(label, update, selection),
  showGuides: (page, guides) => {
    const before = useCanvas.getState().guides;
    if (guides.length > 0) useCanvas.setState({ guides: { page, guides } });
    else if (before !== null) useCanvas.setState({ guides: null });
  },
  showMarquee: (marquee) => useCanvas.setState({ marquee }),
  scrollBy,
  finishTool: () => setTool('select'),
  focusOverlay,
};

/** React adds a new overlay to the page before the next frame. */
export function focusOverlay(id: string): void {
  const focus = () => document.getElementById(overlayElementId(id))?.focus({ preventScroll: true });
  focus();
  requestAnimationFrame(focus);
}

export const overlayElementId = (id: string): string => `overlay:${id}`;
