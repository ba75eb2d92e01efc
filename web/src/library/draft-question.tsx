import { useState } from 'react';
import type { StoredDraft } from '#bulkfill/operator-contract.ts';
import { useEditor } from '../editor/editor-store.ts';
import { useWork } from '../project/work-store.ts';
import { ChangeList } from '../saving/change-list.tsx';
import { layoutChanges } from '../saving/layout-changes.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { tell } from '../ui/messages.tsx';
import { copyName } from './copy-name.ts';
import type { ProjectPlace } from './library-api.ts';
import { showConflict } from './save-conflict.ts';
import { keepMine, loadOther, undoLoad } from './server-draft.ts';
import { contentOf } from './server-draft-api.ts';
import { momentWords } from './version-words.ts';

/** Shown when the same person has unsaved changes here and others in another browser. Nothing is overwritten. */
export function DraftQuestion({
  place,
  draft,
  onSave,
}: {
  place: ProjectPlace;
  draft: StoredDraft;
  /** Saves what is on the screen. */
  onSave: () => void;
}) {
  const mine = useEditor((editor) => editor.project);
  const [compares, setCompares] = useState(false);
  if (mine === null) return null;
  const close = () => showConflict(null);
  const load = () => {
    close();
    loadOther(place, draft);
    tell('good', 'Changes of the other browser loaded', { undo: () => undoLoad(mine) });
  };
  const keep = () => {
    close();
    keepMine(place, draft);
  };
  const saveAsCopy = () => {
    useWork.setState({ library: null });
    useEditor.getState().rename(copyName(mine.name));
    close();
    onSave();
  };
  return (
    <Dialog
      question
      wide={compares}
      title="Changed in another browser"
      onClose={close}
      actions={
        <>
          {!compares && <Button onClick={() => setCompares(true)}>Compare</Button>}
          <Button onClick={load}>Load the other changes</Button>
          <Button onClick={keep}>Keep mine</Button>
          <Button look="primary" onClick={saveAsCopy}>
            Save mine as a copy
          </Button>
        </>
      }
    >
      <p>
        You have unsaved changes of <strong>{mine.name}</strong> here, and others from another browser, stored
        on {momentWords(draft.saved_at)}. Nothing was overwritten.
      </p>
      {compares ? (
        <>
          <h3>From the other browser to what is on the screen</h3>
          <ChangeList
            changes={layoutChanges(contentOf(draft).layout, mine.layout)}
            none="Both have the same fields and columns."
          />
        </>
      ) : (
        <p>
          Load the other changes, keep yours and replace the others on the server, or save yours as a separate
          project.
        </p>
      )}
    </Dialog>
  );
}
