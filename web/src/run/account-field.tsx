import { useState } from 'react';
import type { Account } from '#console/contract/accounts.ts';
import { callJson } from '../api/operator-client.ts';
import { useSession } from '../shell/session.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { tellError } from '../ui/messages.tsx';
import styles from './run-dialog.module.css';

/** Chooses the account of the job. A new installation has none, so the first one can be created here. */
export function AccountField() {
  const { accounts, account, lostAccount, chooseAccount } = useSession();
  if (accounts.length === 0) return <FirstAccount />;
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

function FirstAccount() {
  const [name, setName] = useState('main');
  const create = async () => {
    const made = await callJson<Account>('/accounts', { method: 'POST', json: { name } });
    useSession.getState().chooseAccount(made.name);
    await useSession.getState().refresh();
  };
  return (
    <div className={styles.first}>
      <TextField
        label="Account"
        hint="Jobs belong to an account. Create the first one."
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button disabled={name.trim() === ''} onClick={() => void create().catch(tellError)}>
        Create account
      </Button>
    </div>
  );
}
