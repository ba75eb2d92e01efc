import { useSession } from '../../shell/session.ts';
import { ActingAccount, Filters } from '../parts/filters.tsx';
import { NoAccounts } from '../parts/no-accounts.tsx';
import { Page } from '../parts/page.tsx';
import { Exports } from './exports.tsx';
import { Imports } from './imports.tsx';

/** Subscribers going in and out, one account at a time. */
export function TransfersScreen() {
  const account = useSession((session) => session.account);
  return (
    <Page
      title="Imports & exports"
      lead="CSV files of subscribers: what came in, what became of each row, and what went out."
    >
      {account === null ? (
        <NoAccounts />
      ) : (
        <>
          <Filters>
            <ActingAccount />
          </Filters>
          <Imports key={`imports ${account}`} account={account} />
          <Exports key={`exports ${account}`} account={account} />
        </>
      )}
    </Page>
  );
}
