import { useSession } from '../shell/session.ts';
import { SelectField } from '../ui/field.tsx';

/** Chooses the account of the job. */
export function AccountField() {
  const { accounts, account, lostAccount, chooseAccount } = useSession();
  return (
    <SelectField
      label="Account"
      hint={account === null ? 'Choose the account that the job belongs to.' : undefined}
      error={
        lostAccount === null
          ? undefined
          : `The account “${lostAccount}” no longer exists. Choose another one.`
      }
      value={account ?? ''}
      onChange={(event) => chooseAccount(event.target.value)}
    >
      {account === null && <option value="">Choose an account</option>}
      {accounts.map(({ id, name, active }) => (
        <option key={id} value={name} disabled={!active}>
          {name}
          {active ? '' : ' (inactive)'}
        </option>
      ))}
    </SelectField>
  );
}
