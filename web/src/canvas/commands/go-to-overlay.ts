import { boundsOf } from '../../core/geometry/box.ts';
import { findOverlay } from '../../core/overlays/find-overlays.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { say } from '../../ui/messages.tsx';
import { reveal, scrollToPage } from '../viewport.ts';

/** Selects an overlay and scrolls it into view. Used by list entries and warnings. */
export function goToOverlay(id: string, others: readonly string[] = []): void {
  const { project, select } = useEditor.getState();
  const overlay = project === null ? undefined : findOverlay(project.layout, id);
  if (overlay === undefined) return;
  select([id, ...others.filter((other) => other !== id)]);
  reveal(overlay.page, boundsOf(overlay));
}

export function goToPage(page: number): void {
  const { project, showPage } = useEditor.getState();
  showPage(page);
  scrollToPage(page);
  say(`Page ${page} of ${project?.source.pages.length ?? 1}`);
}
