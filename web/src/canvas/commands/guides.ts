import type { Point } from '../../core/geometry/rect.ts';
import { formatLength } from '../../core/geometry/units.ts';
import { guideAt, guideWords, type RulerGuide, steppedGuide } from '../../core/guides/ruler-guides.ts';
import { findPage, toColumn } from '../../core/pages/page-column.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { useWork } from '../../project/work-store.ts';
import { say } from '../../ui/messages.tsx';
import { focusGuide } from '../canvas-host.ts';
import { showRulers, useCanvas } from '../canvas-store.ts';
import { pageColumn, visibleCentre } from '../viewport.ts';

/** Adds a guide at a point of a page, by default in the middle of the visible part, and moves the focus to it. */
export function addGuide(axis: 'x' | 'y', place?: { page: number; point: Point }): void {
  const at = place ?? visibleCentre();
  const page = at === null ? undefined : findPage(pageColumn(), at.page);
  if (at === null || page === undefined) return;
  const { unit } = useEditor.getState();
  const guide = guideAt(pageColumn(), axis, toColumn(page, at.point), unit);
  if (guide === null) return;
  const { guides } = useWork.getState();
  useWork.setState({ guides: [...guides, guide] });
  showRulers(true);
  say(`${guideWords(guide, unit)}. Arrow keys move it, Delete removes it.`);
  focusGuide(guides.length);
}

export function moveGuide(index: number, steps: number): void {
  const { guides } = useWork.getState();
  const guide = guides[index];
  const page = guide === undefined ? undefined : findPage(pageColumn(), guide.page);
  if (guide === undefined || page === undefined) return;
  const { unit } = useEditor.getState();
  const moved: RulerGuide = steppedGuide(guide, steps, unit, guide.axis === 'x' ? page.width : page.height);
  useWork.setState({ guides: guides.with(index, moved) });
  say(`${formatLength(moved.at, unit)} ${unit}`);
}

export function removeGuide(index: number): void {
  useWork.setState(({ guides }) => ({ guides: guides.toSpliced(index, 1) }));
  say('Guide removed');
}

export function removeAllGuides(): void {
  useWork.setState({ guides: [] });
  say('All guides removed');
}

export function toggleRulers(): void {
  const { rulers } = useCanvas.getState();
  showRulers(!rulers);
  say(rulers ? 'Rulers and guides hidden' : 'Rulers and guides shown');
}
