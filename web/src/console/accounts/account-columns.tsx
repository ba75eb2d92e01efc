import type { Account, Plan } from '#console/contract/accounts.ts';
import { Link } from '../../shell/link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Time } from '../parts/time.tsx';
import styles from './account-columns.module.css';

interface Actions {
  readonly mayChange: boolean;
  readonly plans: readonly Plan[];
  onPlan(account: Account, plan: string): void;
  onActivate(account: Account): void;
  onDeactivate(account: Account): void;
}

export const accountColumns = ({
  mayChange,
  plans,
  onPlan,
  onActivate,
  onDeactivate,
}: Actions): readonly Column<Account>[] => [
  { title: 'Account', grow: true, cell: ({ name }) => <strong>{name}</strong> },
  {
    title: 'State',
    cell: ({ active }) => <Badge tone={active ? 'good' : 'neutral'}>{active ? 'active' : 'inactive'}</Badge>,
  },
  {
    title: 'Plan',
    cell: (account) =>
      !mayChange ? (
        account.plan
      ) : (
        <div className={styles.plan}>
          <SelectField
            hideLabel
            label={`Plan of ${account.name}`}
            value={account.plan}
            onChange={(event) => onPlan(account, event.target.value)}
          >
            {/* The account may have a plan that is no longer configured. */}
            {!plans.some(({ name }) => name === account.plan) && <option>{account.plan}</option>}
            {plans.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
        </div>
      ),
  },
  {
    title: 'View',
    cell: ({ name }) => {
      const query = new URLSearchParams({ account: name });
      return (
        <>
          <Link to={`/console/jobs?${query}`}>Jobs</Link>
          {' · '}
          <Link to={`/console/keys?${query}`}>Keys</Link>
          {' · '}
          <Link to={`/console/usage?${query}`}>Usage</Link>
        </>
      );
    },
  },
  { title: 'Created', align: 'end', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    title: 'Actions',
    hideTitle: true,
    align: 'end',
    cell: (account) =>
      !mayChange ? null : account.active ? (
        <Button look="danger" aria-label={`Deactivate ${account.name}`} onClick={() => onDeactivate(account)}>
          Deactivate
        </Button>
      ) : (
        <Button aria-label={`Activate ${account.name}`} onClick={() => onActivate(account)}>
          Activate
        </Button>
      ),
  },
];
