import { useState } from 'react';
import type { ProjectView } from '#bulkfill/operator-contract.ts';
import { ServerRefusal } from '../api/server-refusal.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { tell } from '../ui/messages.tsx';
import { saveVersion } from './library-api.ts';

/** Renames a project of the library. A rename is a new version. */
export function RenameDialog({
  account,
  project,
  onClose,
  onRenamed,
}: {
  account: string;
  project: ProjectView;
  onClose: () => void;
  onRenamed: () => void;
}) {
  const { project_id: id, name, version } = project;
  const rename = async (wanted: string) => {
    if (wanted !== name) {
      await saveVersion({ account, id }, version, { name: wanted });
      tell('good', `Renamed to ${wanted}`);
      onRenamed();
    }
    onClose();
  };
  return <NameDialog title={`Rename ${name}`} verb="Rename" name={name} onClose={onClose} onName={rename} />;
}

/** Asks for the name of a project. If `onName` rejects, the dialog stays open and says why. */
export function NameDialog({
  title,
  verb,
  name,
  hint,
  onClose,
  onName,
}: {
  title: string;
  verb: string;
  name: string;
  hint?: string;
  onClose: () => void;
  onName: (name: string) => Promise<void>;
}) {
  const [text, setText] = useState(name);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const wanted = text.trim().normalize('NFC');
    if (wanted === '') return setError('Enter a name.');
    setBusy(true);
    try {
      await onName(wanted);
    } catch (refused) {
      setError(wordsOf(refused, wanted));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" resting={busy}>
            {verb}
          </Button>
        </>
      }
    >
      <TextField
        label="Project name"
        hint={hint}
        error={error}
        maxLength={100}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setError(undefined);
        }}
      />
    </Dialog>
  );
}

/** An error about the name, in words that fit the field. */
export function wordsOf(error: unknown, name: string): string {
  if (!(error instanceof ServerRefusal)) return error instanceof Error ? error.message : String(error);
  if (error.code === 'PROJECT_NAME_TAKEN')
    return `Another project of this account has the name “${name}”. Choose another one.`;
  if (error.status === 412) return 'The project was saved in the meantime. Load the page again and repeat.';
  return error.message;
}
