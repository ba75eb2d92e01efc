import { useEditor } from '../editor/editor-store.ts';
import { holdDraft, inTurn } from './draft-guard.ts';
import { keepDraftNow } from './draft-keeper.ts';
import { loadDraft } from './drafts.ts';
import { addLateChange } from './late-change.ts';

/** Opens the stored draft with this id. Returns false if this browser has none. */
export async function openDraft(id: string, isStale: () => boolean = () => false): Promise<boolean> {
  // The last changes of the project that is still open may not be stored yet.
  if (useEditor.getState().project?.id !== id) await keepDraftNow();
  // In turn with writes: a change that is stored during the load would be missing on the screen.
  return inTurn(async () => {
    await addLateChange(id);
    const draft = await loadDraft(id);
    if (draft === null) return false;
    if (isStale()) return true;
    holdDraft(id, draft.revision);
    useEditor.getState().open(draft.project);
    return true;
  });
}
