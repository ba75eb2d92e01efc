import { Link } from '../../shell/link.tsx';
import { EmptyState } from '../../ui/badge.tsx';

export function NoAccounts() {
  return (
    <EmptyState
      title="There is no account yet"
      action={<Link to="/console/accounts">Make the first account</Link>}
    >
      This screen shows what belongs to one account.
    </EmptyState>
  );
}
