import { lazy, Suspense, useState } from 'react';
import { useSession } from '../shell/session.ts';
import { Banner } from '../ui/badge.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { RecentProjects } from './recent-projects.tsx';

const Library = lazy(async () => ({ default: (await import('../library/library-screen.tsx')).Library }));

/** The projects of the account while an operator is signed in, and the drafts that only this browser has. */
export function ProjectLists() {
  const { status, account, accounts } = useSession();
  const [listed, setListed] = useState<ReadonlySet<string> | null>(null);
  const isIn = status === 'in';
  return (
    <>
      {isIn && account === null && accounts.length > 0 && (
        <Banner title="Choose an account">The header lists the accounts. Their projects appear here.</Banner>
      )}
      {isIn && account !== null && (
        <Suspense fallback={<Waiting label="Loading projects" />}>
          <Library key={account} account={account} onLoaded={setListed} />
        </Suspense>
      )}
      {/* One element for every state of the session, so that an open question stays when the session arrives. */}
      <RecentProjects
        title={isIn ? 'Drafts in this browser' : 'Recent projects'}
        without={isIn && account !== null ? listed : NONE}
      />
    </>
  );
}

const NONE: ReadonlySet<string> = new Set();
