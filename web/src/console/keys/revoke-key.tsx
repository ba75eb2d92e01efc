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
    tell('good', `${apiKey.name || apiKey.id} is revoked`);
    onRevoked();
  };
  return (
    <Confirm title="Revoke this key?" action="Revoke the key" onConfirm={revoke} onClose={onClose}>
      <p>
        <strong>{apiKey.name || apiKey.id}</strong> of {apiKey.account} is refused from now on. Programs that
        use it stop working until they get another one. This cannot be undone.
      </p>
    </Confirm>
  );
}
