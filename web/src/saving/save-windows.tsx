import type { ServerRefusal } from '../api/server-refusal.ts';
import { useEditor } from '../editor/editor-store.ts';
import type { LayoutProblem } from '../engine/engine-client.ts';
import { DraftQuestion } from '../library/draft-question.tsx';
import { NameDialog, wordsOf } from '../library/rename-dialog.tsx';
import type { SaveConflict } from '../library/save-conflict.ts';
import { SaveConflictDialog } from '../library/save-conflict-dialog.tsx';
import { VersionsDrawer } from '../library/versions-drawer.tsx';
import { useWork } from '../project/work-store.ts';
import { AccountField } from '../run/account-field.tsx';
import { useSession } from '../shell/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ChangesDialog } from './changes-dialog.tsx';
import { ProblemsDialog } from './problems-dialog.tsx';
import { SignInDialog } from './sign-in-dialog.tsx';

/** The dialogs around saving. */
export type SaveWindow =
  | { readonly at: 'changes' | 'account' | 'versions' }
  | { readonly at: 'sign-in'; readonly for: 'save' | 'export' }
  | { readonly at: 'name'; readonly error: ServerRefusal }
  | { readonly at: 'problems'; readonly problems: readonly LayoutProblem[] }
  | { readonly at: 'newer'; readonly conflict: SaveConflict };

export function SaveWindows({
  open,
  onClose,
  onSave,
  onExport,
}: {
  open: SaveWindow | null;
  onClose: () => void;
  onSave: () => void;
  onExport: () => void;
}) {
  switch (open?.at) {
    case 'changes':
      return <ChangesDialog onClose={onClose} />;
    case 'versions':
      return <Versions onClose={onClose} />;
    case 'sign-in':
      return open.for === 'save' ? (
        <SignInDialog what="Saving" onClose={onClose} onSignedIn={onSave} />
      ) : (
        <SignInDialog what="Exporting" onClose={onClose} onSignedIn={onExport} />
      );
    case 'account':
      return <ChooseAccount onClose={onClose} onSave={onSave} />;
    case 'name':
      return <OtherName error={open.error} onClose={onClose} onSave={onSave} />;
    case 'problems':
      return <ProblemsDialog problems={open.problems} onClose={onClose} />;
    case 'newer':
      return open.conflict.draft === undefined ? (
        <SaveConflictDialog conflict={open.conflict} onSave={onSave} />
      ) : (
        <DraftQuestion place={open.conflict} draft={open.conflict.draft} onSave={onSave} />
      );
    default:
      return null;
  }
}

function Versions({ onClose }: { onClose: () => void }) {
  const id = useEditor((editor) => editor.project?.id);
  const library = useWork((work) => work.library);
  if (id === undefined || library === null) return null;
  return <VersionsDrawer id={id} library={library} onClose={onClose} />;
}

function ChooseAccount({ onClose, onSave }: { onClose: () => void; onSave: () => void }) {
  const account = useSession((session) => session.account);
  const save = () => {
    if (account === null) return;
    onClose();
    onSave();
  };
  return (
    <Dialog
      title="Save the project in an account"
      onClose={onClose}
      onSubmit={save}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" resting={account === null}>
            Save
          </Button>
        </>
      }
    >
      <p>Everyone who works with the account can open the project.</p>
      <AccountField />
    </Dialog>
  );
}

function OtherName({
  error,
  onClose,
  onSave,
}: {
  error: ServerRefusal;
  onClose: () => void;
  onSave: () => void;
}) {
  const name = useEditor((editor) => editor.project?.name ?? '');
  const rename = async (wanted: string) => {
    useEditor.getState().rename(wanted);
    onClose();
    onSave();
  };
  return (
    <NameDialog
      title="Save the project under another name"
      verb="Save"
      name={name}
      hint={wordsOf(error, name)}
      onClose={onClose}
      onName={rename}
    />
  );
}
