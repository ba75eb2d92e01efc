import { boundsOf } from '../core/geometry/box.ts';
import type { Point, Rect } from '../core/geometry/rect.ts';
import { NO_GUIDES, type RulerGuide, targetsOfGuides } from '../core/guides/ruler-guides.ts';
import { overlaysOn } from '../core/overlays/find-overlays.ts';
import { findPage } from '../core/pages/page-column.ts';
import { freePartOf, isTickBox, printedBoxAt, printedBoxNear } from '../core/snapping/printed-boxes.ts';
import {
  joinTargets,
  NO_TARGETS,
  targetsOfBoxes,
  targetsOfPage,
  targetsOfPrintedBox,
} from '../core/snapping/snap-lines.ts';
import { useEditor } from '../editor/editor-store.ts';
import { useWork } from '../project/work-store.ts';
import { setTool, useCanvas } from './canvas-store.ts';
import type { GestureHost } from './gestures/gesture.ts';
import { knownPrintedPage, knownTemplateTargets } from './template-targets.ts';
import { isOverRuler, pageColumn, scrollBy } from './viewport.ts';

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
  preferredTargets: (number, point, centreOnly = false) => {
    const page = printedPage(number);
    const sheet = findPage(pageColumn(), number);
    const box = targetsOfPrintedBox(page === null ? null : printedBoxAt(page, point), centreOnly);
    const guides = sheet === undefined ? NO_TARGETS : targetsOfGuides(shownGuides(), sheet);
    return guides === NO_TARGETS ? box : joinTargets(guides, box);
  },
  tickBox: (number, point, slack) => {
    const page = printedPage(number);
    return page === null ? null : printedBoxNear(page, point, slack, isTickBox);
  },
  rowSamples: () => {
    const { previewCells, rows } = useEditor.getState();
    return { cells: previewCells, facts: rows?.columnFacts ?? [] };
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
  guides: () => useWork.getState().guides,
  setGuides: (guides) => useWork.setState({ guides }),
  unit: () => useEditor.getState().unit,
  isOverRuler,
  focusGuide,
  finishTool: () => setTool('select'),
  focusOverlay,
};

/** Guides are hidden together with the rulers, and hidden ones attract nothing. */
function shownGuides(): readonly RulerGuide[] {
  return useCanvas.getState().rulers ? useWork.getState().guides : NO_GUIDES;
}

/** React adds a new guide to the page before the next frame. */
export function focusGuide(index: number): void {
  requestAnimationFrame(() => document.getElementById(guideElementId(index))?.focus({ preventScroll: true }));
}

export const guideElementId = (index: number): string => `guide:${index}`;

function printedPage(number: number) {
  const { project } = useEditor.getState();
  return project === null ? null : knownPrintedPage(project.source.bytes, number);
}

/** The part of the printed box at a point of the page that a field can fill; null if there is none. */
export function writableBox(number: number, point: Point): Rect | null {
  const page = printedPage(number);
  const box = page === null ? null : printedBoxAt(page, point);
  return page === null || box === null ? null : freePartOf(page, box);
}

/** React adds a new overlay to the page before the next frame. */
export function focusOverlay(id: string): void {
  const focus = () => document.getElementById(overlayElementId(id))?.focus({ preventScroll: true });
  focus();
  requestAnimationFrame(focus);
}

export const overlayElementId = (id: string): string => `overlay:${id}`;
