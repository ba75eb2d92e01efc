import { useState } from 'react';
import type { Passkey } from '#console/contract/passkeys.ts';
import { callJson } from '../../api/operator-client.ts';
import { ServerRefusal } from '../../api/server-refusal.ts';
import { passkeyProblem } from '../../shell/passkey-words.ts';
import { addPasskey } from '../../shell/passkeys.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { tell } from '../../ui/messages.tsx';
import { aboutField, Refusal } from '../parts/refusal.tsx';

/** Asks for the name of a passkey: of the one to rename, or of a new one, which the browser then creates. */
export function NamePasskey({
  passkey,
  onClose,
  onDone,
}: {
  passkey?: Passkey;
  onClose: () => void;
  onDone: () => void;
}) {
  const [name, setName] = useState(passkey?.name ?? '');
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const save = async () => {
    setBusy(true);
    setRefused(undefined);
    try {
      const chosen = name.trim();
      if (passkey === undefined) await addPasskey(chosen);
      else await callJson(`/passkeys/${passkey.id}`, { method: 'PATCH', json: { name: chosen } });
      tell('good', passkey === undefined ? 'Passkey added' : 'Passkey renamed');
      onDone();
      onClose();
    } catch (error) {
      setRefused(error instanceof ServerRefusal ? error : new Error(passkeyProblem(error)));
      setBusy(false);
    }
  };
  const adds = passkey === undefined;
  return (
    <Dialog
      title={adds ? 'Add a passkey' : `Rename the passkey ${passkey.name}`}
      onClose={onClose}
      onSubmit={save}
      actions={
        <Button type="submit" look="primary" resting={busy} disabled={name.trim() === ''}>
          {adds ? 'Create passkey' : 'Rename'}
        </Button>
      }
    >
      <TextField
        label="Name"
        hint="The device that keeps the passkey, for example: Office laptop."
        error={aboutField(refused, 'name')}
        value={name}
        maxLength={200}
        onChange={(event) => setName(event.target.value)}
      />
      {adds && <p>Your browser then asks you to confirm with the lock of the device.</p>}
      {refused !== undefined && aboutField(refused, 'name') === undefined && (
        <Refusal title={adds ? 'Passkey not added' : 'Passkey not renamed'} error={refused} />
      )}
    </Dialog>
  );
}
