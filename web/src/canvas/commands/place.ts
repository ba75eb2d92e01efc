import type { OverlayType } from '#fill/kinds/overlay-schema.ts';
import { addOverlays, newOverlay, sizeOfNew } from '../../core/overlays/new-overlay.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { TOOLS } from '../../kinds/tools.ts';
import { say } from '../../ui/messages.tsx';
import { canvasHost, focusOverlay } from '../canvas-host.ts';
import { setTool, type Tool, useCanvas } from '../canvas-store.ts';
import { visibleCentre } from '../viewport.ts';

export function chooseTool(tool: Tool): void {
  setTool(tool);
  if (tool === 'select') say('Select');
  else if (tool === 'pan') say('Pan: drag the pages');
  else say(`${TOOLS[tool].name}: press Enter to place it in the middle of the page, or click where it goes`);
}

/** Places a field in the middle of the visible part of the page: the keyboard alternative to a click. */
export function placeInCentre(kind: OverlayType): void {
  const { project, change } = useEditor.getState();
  const centre = visibleCentre();
  if (project === null || centre === null) return;
  const size = sizeOfNew(project.layout, kind);
  const place = {
    page: centre.page,
    x: Math.round(centre.point.x - size.width / 2),
    y: Math.round(centre.point.y - size.height / 2),
  };
  const overlay = newOverlay(project.layout, kind, place, { samples: canvasHost.rowSamples() });
  setTool('select');
  change(`Add ${TOOLS[kind].name.toLowerCase()}`, (layout) => addOverlays(layout, [overlay]), [overlay.id]);
  say(
    `${TOOLS[kind].name} placed on page ${centre.page} at x ${overlay.x}, y ${overlay.y}. Arrow keys move it.`,
  );
  focusOverlay(overlay.id);
}

/** Returns true if a tool was waiting to be placed. */
export function placeWithTool(): boolean {
  const { tool } = useCanvas.getState();
  if (tool === 'select' || tool === 'pan') return false;
  placeInCentre(tool);
  return true;
}
