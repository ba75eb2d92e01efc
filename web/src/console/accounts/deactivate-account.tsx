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
      action="Deactivate the account"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        All its keys are refused until it is activated again. Its data stays, and jobs that run go on to their
        end.
      </p>
    </Confirm>
  );
}
