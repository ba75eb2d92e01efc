import { useEditor } from '../../editor/editor-store.ts';
import { say } from '../../ui/messages.tsx';
import { focusOverlay } from '../canvas-host.ts';
import { goToOverlay } from './go-to-overlay.ts';

/** Shows the page of a field and selects the field. */
export function selectField(id: string): void {
  const { project, select, showPage, showPanel, panel } = useEditor.getState();
  const overlay = project?.layout.overlays.find((candidate) => candidate.id === id);
  if (panel === 'preview') showPanel('fields');
  if (overlay !== undefined) showPage(overlay.page);
  select([id]);
  say(`${id} selected`);
  // By the next frame the page is rendered and the dialog with the link is closed.
  requestAnimationFrame(() => {
    goToOverlay(id);
    focusOverlay(id);
  });
}
