import { useEditor } from '../editor/editor-store.ts';
import { say } from '../ui/messages.tsx';

/** Brings a field before the person: its page, and itself selected. */
export function selectField(id: string): void {
  const { project, select, showPage, showPanel, panel } = useEditor.getState();
  const overlay = project?.layout.overlays.find((candidate) => candidate.id === id);
  if (panel === 'preview') showPanel('fields');
  if (overlay !== undefined) showPage(overlay.page);
  select([id]);
  say(`${id} selected`);
}
