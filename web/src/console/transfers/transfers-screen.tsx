import { useEffect } from 'react';
import { useSession } from '../../shell/session.ts';
import { EmptyState } from '../../ui/badge.tsx';
import { ActingAccount, Filters } from '../parts/filters.tsx';
import { NoAccounts } from '../parts/no-accounts.tsx';
import { Page } from '../parts/page.tsx';
import { useQuery } from '../parts/use-query.ts';
import { Exports } from './exports.tsx';
import { Imports } from './imports.tsx';

/** Subscriber imports and exports, one account at a time. */
export function TransfersScreen() {
  const { account, accounts, chooseAccount } = useSession();
  const [query, setQuery] = useQuery(['account']);
  // A link may name the account; after that, the session's choice applies.
  useEffect(() => {
    if (query.account === '') return;
    if (accounts.some(({ name }) => name === query.account)) chooseAccount(query.account);
    setQuery('account', '');
  }, [query.account, accounts, chooseAccount, setQuery]);
  return (
    <Page
      title="Imports & exports"
      lead="Imports and exports of subscribers as CSV, with the result of every row."
    >
      {accounts.length === 0 ? (
        <NoAccounts />
      ) : (
        <>
          <Filters>
            <ActingAccount />
          </Filters>
          {account === null ? (
            <EmptyState title="Choose an account">This screen shows the data of one account.</EmptyState>
          ) : (
            <>
              <Imports key={`imports ${account}`} account={account} />
              <Exports key={`exports ${account}`} account={account} />
            </>
          )}
        </>
      )}
    </Page>
  );
}
