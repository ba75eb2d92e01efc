import { useState } from 'react';
import type { Plan } from '#console/contract/accounts.ts';
import { callJson } from '../../api/operator-client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { tell } from '../../ui/messages.tsx';
import { aboutField, Refusal } from '../parts/refusal.tsx';

export function CreateAccount({
  plans,
  onClose,
  onCreated,
}: {
  plans: readonly Plan[];
  onClose: () => void;
  onCreated: () => void;
}) {
  const [name, setName] = useState('');
  const [plan, setPlan] = useState(plans.find((each) => each.default)?.name ?? '');
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const create = async () => {
    setBusy(true);
    setRefused(undefined);
    try {
      const json = { name: name.trim(), ...(plan !== '' && { plan }) };
      await callJson('/accounts', { method: 'POST', json });
      tell('good', `Account “${name.trim()}” created`);
      onCreated();
      onClose();
    } catch (error) {
      setRefused(error);
      setBusy(false);
    }
  };
  const aboutName = aboutField(refused, 'name');
  return (
    <Dialog
      title="Create account"
      onClose={onClose}
      onSubmit={create}
      actions={
        <Button type="submit" look="primary" resting={busy} disabled={name.trim() === ''}>
          Create account
        </Button>
      }
    >
      <TextField
        label="Name"
        hint="For example a customer, a team or a program. You cannot change it later."
        error={aboutName}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField label="Plan" value={plan} onChange={(event) => setPlan(event.target.value)}>
        {plans.map((each) => (
          <option key={each.name}>{each.name}</option>
        ))}
      </SelectField>
      {refused !== undefined && aboutName === undefined && (
        <Refusal title="Account not created" error={refused} />
      )}
    </Dialog>
  );
}
