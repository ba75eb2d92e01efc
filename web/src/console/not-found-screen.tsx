import { Link } from '../shell/link.tsx';
import { EmptyState } from '../ui/badge.tsx';
import { Page } from './parts/page.tsx';

export function NotFoundScreen() {
  return (
    <Page title="There is no such page">
      <EmptyState
        title="Nothing lives at this address"
        action={<Link to="/console/jobs">Go to the jobs</Link>}
      >
        The link may be from another version, or a letter is missing.
      </EmptyState>
    </Page>
  );
}
