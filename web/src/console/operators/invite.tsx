import { useState } from 'react';
import type { CreatedLink } from '#console/contract/operators.ts';
import { callJson } from '../../api/operator-client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { aboutField, Refusal } from '../parts/refusal.tsx';
import { MadeLinkDialog } from './made-link.tsx';
import { type ChosenRole, isComplete, RoleFields, roleJson } from './role-fields.tsx';

export function Invite({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<ChosenRole>({ role: 'operator', account: '' });
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const [made, setMade] = useState<CreatedLink | undefined>();
  const invite = async () => {
    setBusy(true);
    setRefused(undefined);
    try {
      const json = { name: name.trim(), ...roleJson(chosen) };
      setMade(await callJson<CreatedLink>('/invitations', { method: 'POST', json }));
    } catch (error) {
      setRefused(error);
    }
    setBusy(false);
  };
  if (made !== undefined) return <MadeLinkDialog name={name.trim()} made={made} onClose={onClose} />;
  return (
    <Dialog
      key="asked"
      title="Invite a person"
      onClose={onClose}
      onSubmit={invite}
      actions={
        <Button
          type="submit"
          look="primary"
          resting={busy}
          disabled={name.trim() === '' || !isComplete(chosen)}
        >
          Create link
        </Button>
      }
    >
      <TextField
        label="Name"
        hint="Shown in this list and in the audit log."
        error={aboutField(refused, 'name')}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <RoleFields value={chosen} onChange={setChosen} />
      {refused !== undefined && aboutField(refused, 'name') === undefined && (
        <Refusal title="Link not created" error={refused} />
      )}
    </Dialog>
  );
}
