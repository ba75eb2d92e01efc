import type { ReactNode } from 'react';
import { useSession } from '../../shell/session.ts';
import { SelectField } from '../../ui/field.tsx';
import styles from './filters.module.css';

/** The filters above a list. */
export function Filters({ children }: { children: ReactNode }) {
  return (
    <search className={styles.filters} aria-label="Filter">
      {children}
    </search>
  );
}

export interface Choice {
  readonly value: string;
  readonly name: string;
}

export function ChoiceFilter({
  label,
  all,
  value,
  choices,
  onChoose,
}: {
  label: string;
  /** The label for no filter. Absent if a choice is required. */
  all?: string;
  value: string;
  choices: readonly Choice[];
  onChoose: (value: string) => void;
}) {
  return (
    <div className={styles.choice}>
      <SelectField hideLabel label={label} value={value} onChange={(event) => onChoose(event.target.value)}>
        {all !== undefined && <option value="">{all}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

export function AccountFilter({ value, onChoose }: { value: string; onChoose: (value: string) => void }) {
  const accounts = useSession((session) => session.accounts);
  const choices = accounts.map(({ name }) => ({ value: name, name }));
  return (
    <ChoiceFilter label="Account" all="All accounts" value={value} choices={choices} onChoose={onChoose} />
  );
}

/** Chooses the account for screens that show one account. The editor uses the same account. */
export function ActingAccount() {
  const { accounts, account, chooseAccount } = useSession();
  const choices = accounts.map(({ name }) => ({ value: name, name }));
  return (
    <ChoiceFilter
      label="Account"
      {...(account === null && { all: 'Choose an account' })}
      value={account ?? ''}
      choices={choices}
      onChoose={chooseAccount}
    />
  );
}
