import type { ReactNode } from 'react';
import { useSession } from '../../shell/session.ts';
import { SelectField } from '../../ui/field.tsx';
import styles from './filters.module.css';

/** The row over a list that says which part of it is shown. */
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
  /** What no choice means; left out where one must be chosen. */
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

/** For screens that show one account: the one that is also used by the editor. */
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
