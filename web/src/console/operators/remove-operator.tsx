import type { Operator } from '#console/contract/operators.ts';
import { callJson } from '../../api/operator-client.ts';
import { useSession } from '../../shell/session.ts';
import { tell } from '../../ui/messages.tsx';
import { Confirm } from '../parts/confirm.tsx';

export function RemoveOperator({
  operator,
  onClose,
  onRemoved,
}: {
  operator: Operator;
  onClose: () => void;
  onRemoved: () => void;
}) {
  const refresh = useSession((session) => session.refresh);
  const remove = async () => {
    await callJson(`/operators/${operator.id}`, { method: 'DELETE' });
    tell('good', `${operator.name} removed`);
    if (operator.is_self) await refresh();
    else onRemoved();
  };
  return (
    <Confirm title={`Remove ${operator.name}?`} action="Remove" onConfirm={remove} onClose={onClose}>
      <p>
        {operator.is_self ? 'You are signed out everywhere at once' : 'All their sessions end at once'}. Their
        passkeys and the unused links that they created stop working. The audit log keeps what they did. API
        keys keep working: revoke those that should not.
      </p>
    </Confirm>
  );
}
