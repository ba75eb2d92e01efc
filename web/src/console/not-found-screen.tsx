import { Link } from '../shell/link.tsx';
import { EmptyState } from '../ui/badge.tsx';
import { Page } from './parts/page.tsx';

export function NotFoundScreen() {
  return (
    <Page title="Page not found">
      <EmptyState
        title="The console has no page at this address"
        action={<Link to="/console/jobs">Go to jobs</Link>}
      >
        The address may be incomplete, or belong to another version of Rowpress.
      </EmptyState>
    </Page>
  );
}
