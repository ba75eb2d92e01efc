import { useEditor } from '../editor/editor-store.ts';
import { holdDraft } from './draft-guard.ts';
import { loadDraft } from './drafts.ts';
import { addLateChange } from './late-change.ts';

/** Opens the stored draft with this id. Returns false if this browser has none. */
export async function openDraft(id: string, isStale: () => boolean = () => false): Promise<boolean> {
  await addLateChange(id);
  const draft = await loadDraft(id);
  if (draft === null) return false;
  if (isStale()) return true;
  holdDraft(id, draft.revision);
  useEditor.getState().open(draft.project);
  return true;
}
