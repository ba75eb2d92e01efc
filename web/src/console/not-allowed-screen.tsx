import type { Need } from '#console/contract/access.ts';
import { Link } from '../shell/link.tsx';
import { useSession } from '../shell/session.ts';
import { EmptyState } from '../ui/badge.tsx';
import { Page } from './parts/page.tsx';

/** The roles that can open a screen, in words. The server decides; its answer names them too. */
const HOLDERS: Readonly<Partial<Record<Need, string>>> = {
  'view-data': 'operators, designers and auditors',
  inspect: 'operators and auditors',
};

/** In place of a screen that the role of the person does not have. */
export function NotAllowedScreen({ need }: { need: Need }) {
  const role = useSession((session) => session.role);
  return (
    <Page title="Not available for your role">
      <EmptyState
        title={`Only ${HOLDERS[need] ?? 'operators'} can open this page`}
        action={<Link to="/console/jobs">Go to the jobs</Link>}
      >
        Your role is {role}. An operator can give you another one under Console, People.
      </EmptyState>
    </Page>
  );
}
