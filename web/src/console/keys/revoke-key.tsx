import type { ApiKey } from '#console/contract/keys.ts';
import { callJson } from '../../api/operator-client.ts';
import { tell } from '../../ui/messages.tsx';
import { Confirm } from '../parts/confirm.tsx';

export function RevokeKey({
  apiKey,
  onClose,
  onRevoked,
}: {
  apiKey: ApiKey;
  onClose: () => void;
  onRevoked: () => void;
}) {
  const revoke = async () => {
    await callJson(`/keys/${encodeURIComponent(apiKey.id)}`, { method: 'DELETE' });
    tell('good', `Key ${apiKey.name || apiKey.id} revoked`);
    onRevoked();
  };
  return (
    <Confirm title="Revoke this key?" action="Revoke key" onConfirm={revoke} onClose={onClose}>
      <p>
        <strong>{apiKey.name || apiKey.id}</strong> of {apiKey.account} stops working at once. Programs that
        use it need another key. You cannot undo this.
      </p>
    </Confirm>
  );
}
