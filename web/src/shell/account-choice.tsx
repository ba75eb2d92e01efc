import styles from './header.module.css';
import { useSession } from './session.ts';

/** The account that jobs of the editor run under. */
export function AccountChoice() {
  const { status, accounts, account, chooseAccount } = useSession();
  if (status !== 'in' || accounts.length === 0) return null;
  return (
    <select
      aria-label="Account that jobs run under"
      title="Account that jobs run under"
      className={styles.account}
      value={account ?? ''}
      onChange={(event) => chooseAccount(event.target.value)}
    >
      {account === null && <option value="">Choose an account</option>}
      {accounts.map(({ id, name }) => (
        <option key={id} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
