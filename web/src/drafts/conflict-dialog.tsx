import { useEditor } from '../editor/editor-store.ts';
import { go } from '../shell/router.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { tell, tellError } from '../ui/messages.tsx';
import { askAboutConflict, useDraftConflict } from './draft-guard.ts';
import { keepAsCopy } from './keep-as-copy.ts';
import { openDraft } from './open-draft.ts';

/** Shown when another tab has changed or deleted the project. This tab stops writing until the user decides. */
export function ConflictDialog() {
  const conflict = useDraftConflict((state) => state.conflict);
  const project = useEditor((editor) => editor.project);
  if (conflict === null || project === null || conflict.id !== project.id || !conflict.asking) return null;
  const isGone = conflict.kind === 'gone';
  const load = async () => {
    if (await openDraft(project.id)) tell('good', 'Other version loaded');
    else close();
  };
  const close = () => {
    useEditor.getState().close();
    go('/');
  };
  return (
    <Dialog
      question
      title={isGone ? 'Deleted in another tab' : 'Changed in another tab'}
      onClose={() => askAboutConflict(false)}
      actions={
        <>
          <Button onClick={() => void keepAsCopy().catch(tellError)}>Save mine as a copy</Button>
          {isGone ? (
            <Button look="primary" onClick={close}>
              Close the project
            </Button>
          ) : (
            <Button look="primary" onClick={() => void load().catch(tellError)}>
              Load the other version
            </Button>
          )}
        </>
      }
    >
      <p>
        <strong>{project.name}</strong> was {isGone ? 'deleted' : 'changed'} in another tab or window. This
        tab has stopped saving its draft and has not overwritten anything.
      </p>
      <p>
        {isGone
          ? 'Save this version as a copy, or close it.'
          : 'Load the other version and discard the changes in this tab, or save this version as a copy.'}
      </p>
    </Dialog>
  );
}
