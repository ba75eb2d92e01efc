import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Account, Plan } from '#console/contract/accounts.ts';
import type { Page as ListPage } from '#console/contract/list.ts';
import type { Usage } from '#console/contract/usage.ts';
import { callJson } from '../../api/operator-client.ts';
import { May, useMay } from '../../shell/may.tsx';
import { useSession } from '../../shell/session.ts';
import { EmptyState } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { tell, tellError } from '../../ui/messages.tsx';
import { OnlyOne } from '../parts/only-one.tsx';
import { Page, Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { Resource } from '../parts/resource.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { usePages } from '../parts/use-pages.ts';
import { useQuery } from '../parts/use-query.ts';
import { accountColumns } from './account-columns.tsx';
import { ChangePlan, type WantedPlan } from './change-plan.tsx';
import { CreateAccount } from './create-account.tsx';
import { DeactivateAccount } from './deactivate-account.tsx';
import { PlanTable } from './plan-table.tsx';

/** Accounts and plans. */
export function AccountsScreen() {
  const mayChange = useMay('manage');
  const refreshSession = useSession((session) => session.refresh);
  const [filter] = useQuery(['account']);
  const [creating, setCreating] = useState(false);
  const [changing, setChanging] = useState<WantedPlan | undefined>();
  const [ending, setEnding] = useState<Account | undefined>();
  const plans = useLoaded('plans', (signal) => callJson<ListPage<Plan>>('/plans', { signal }));
  const pages = usePages<Account>(`accounts ${filter.account}`, (cursor, signal) =>
    callJson<ListPage<Account>>('/accounts', { query: { ...filter, cursor, limit: 100 }, signal }),
  );
  const reload = () => {
    pages.reload();
    // The session holds the accounts that the header and the filters offer.
    refreshSession().catch(tellError);
  };
  const change = async (account: Account, part: Partial<Pick<Account, 'plan' | 'active'>>) => {
    await callJson(`/accounts/${account.id}`, { method: 'PATCH', json: part });
    tell('good', `Account “${account.name}” updated`);
    reload();
  };
  const askPlan = async (account: Account, name: string) => {
    const find = (wanted: string) => plans.data?.items.find((plan) => plan.name === wanted);
    const to = find(name);
    const usage = await callJson<Usage>('/usage', { query: { account: account.id, days: 1 } });
    if (to === undefined || usage.quota === null) return;
    setChanging({ account, from: find(account.plan), to, quota: usage.quota });
  };
  const columns = accountColumns({
    mayChange,
    plans: plans.data?.items ?? [],
    onPlan: (account, plan) => void askPlan(account, plan).catch(tellError),
    onActivate: (account) => void change(account, { active: true }).catch(tellError),
    onDeactivate: setEnding,
  });
  return (
    <Page
      title="Accounts"
      lead="An account owns keys, jobs and data. Its plan limits the rows that it can fill per month."
      actions={
        <May need="manage">
          <Button look="primary" icon={<Plus size={15} />} onClick={() => setCreating(true)}>
            Create account
          </Button>
        </May>
      }
    >
      {filter.account !== '' && <OnlyOne what="account" all="Show all accounts" to="/console/accounts" />}
      <PagedTable
        label="Accounts"
        pages={pages}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            title="No accounts yet"
            action={
              <May need="manage">
                <Button onClick={() => setCreating(true)}>Create an account</Button>
              </May>
            }
          >
            Every key and every job belongs to an account. One account is enough to start.
          </EmptyState>
        }
      />
      <Section title="Plans">
        <Resource of={plans} name="The plans">
          {({ items }) => <PlanTable plans={items} />}
        </Resource>
      </Section>
      {creating && (
        <CreateAccount
          plans={plans.data?.items ?? []}
          onClose={() => setCreating(false)}
          onCreated={reload}
        />
      )}
      {changing !== undefined && (
        <ChangePlan
          wanted={changing}
          onConfirm={() => change(changing.account, { plan: changing.to.name })}
          onClose={() => setChanging(undefined)}
        />
      )}
      {ending !== undefined && (
        <DeactivateAccount
          account={ending}
          onConfirm={() => change(ending, { active: false })}
          onClose={() => setEnding(undefined)}
        />
      )}
    </Page>
  );
}
