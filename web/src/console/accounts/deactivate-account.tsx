import type { Account } from '#console/contract/accounts.ts';
import { Confirm } from '../parts/confirm.tsx';

export function DeactivateAccount({
  account,
  onConfirm,
  onClose,
}: {
  account: Account;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  return (
    <Confirm
      title={`Deactivate ${account.name}?`}
      action="Deactivate account"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        The server rejects all its keys until you activate it again. Its data is kept, and running jobs
        finish.
      </p>
    </Confirm>
  );
}
