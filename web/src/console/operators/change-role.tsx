import { useState } from 'react';
import type { Operator } from '#console/contract/operators.ts';
import { callJson } from '../../api/operator-client.ts';
import { useSession } from '../../shell/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { tell } from '../../ui/messages.tsx';
import { Refusal } from '../parts/refusal.tsx';
import { roleName } from './role.ts';
import { type ChosenRole, isComplete, RoleFields, roleJson } from './role-fields.tsx';

export function ChangeRole({
  operator,
  onClose,
  onChanged,
}: {
  operator: Operator;
  onClose: () => void;
  onChanged: () => void;
}) {
  const refresh = useSession((session) => session.refresh);
  const [chosen, setChosen] = useState<ChosenRole>({
    role: operator.role,
    account: operator.account?.id ?? '',
  });
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const change = async () => {
    setBusy(true);
    setRefused(undefined);
    try {
      await callJson(`/operators/${operator.id}`, { method: 'PATCH', json: roleJson(chosen) });
      tell('good', `${operator.name} is now ${roleName(chosen.role).toLowerCase()}`);
      if (operator.is_self) await refresh();
      onChanged();
      onClose();
    } catch (error) {
      setRefused(error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Change the role of ${operator.name}`}
      onClose={onClose}
      onSubmit={change}
      actions={
        <Button type="submit" look="primary" resting={busy} disabled={!isComplete(chosen)}>
          Change role
        </Button>
      }
    >
      <RoleFields value={chosen} onChange={setChosen} />
      {operator.role === 'operator' && chosen.role !== 'operator' && (
        <p>The new role applies at once. Unused links that {operator.name} created stop working.</p>
      )}
      {refused !== undefined && <Refusal title="Role not changed" error={refused} />}
    </Dialog>
  );
}
