import { Link } from '../../shell/link.tsx';
import { EmptyState } from '../../ui/badge.tsx';

export function NoAccounts() {
  return (
    <EmptyState title="No accounts yet" action={<Link to="/console/accounts">Create an account</Link>}>
      This screen shows the data of one account.
    </EmptyState>
  );
}
