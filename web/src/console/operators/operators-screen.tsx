import { Download, LogOut, UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { Page as ListPage } from '#console/contract/list.ts';
import type { Operator } from '#console/contract/operators.ts';
import type { ListedSession, PendingLink } from '#console/contract/session.ts';
import { callJson, operatorUrl } from '../../api/operator-client.ts';
import { go } from '../../shell/router.ts';
import { useSession } from '../../shell/session.ts';
import { EmptyState } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { tellError } from '../../ui/messages.tsx';
import { OnlyOne } from '../parts/only-one.tsx';
import { Page, Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { usePages } from '../parts/use-pages.ts';
import { useQuery } from '../parts/use-query.ts';
import { AuditList } from './audit-list.tsx';
import { CreateLink } from './create-link.tsx';
import { Invite } from './invite.tsx';
import { peopleOf, personColumns, personKey } from './operator-table.tsx';
import styles from './operators-screen.module.css';
import { PendingLinks, RevokeLink } from './pending-links.tsx';
import { RemoveOperator } from './remove-operator.tsx';
import { Sessions } from './sessions.tsx';

const useAccess = <Item,>(path: string) =>
  usePages<Item>(path, (cursor, signal) =>
    callJson<ListPage<Item>>(path, { query: { cursor, limit: 100 }, signal }),
  );

/** Operators, their sessions and links, and the audit log. */
export function OperatorsScreen() {
  const signOut = useSession((session) => session.signOut);
  const [inviting, setInviting] = useState(false);
  const [linking, setLinking] = useState<Operator | undefined>();
  const [removing, setRemoving] = useState<Operator | undefined>();
  const [revoking, setRevoking] = useState<PendingLink | undefined>();
  const [filter] = useQuery(['operator']);
  const pages = useAccess<Operator>('/operators');
  const sessions = useAccess<ListedSession>('/sessions');
  const links = useAccess<PendingLink>('/sign-in-links');
  const operators = pages.items?.filter(({ id }) => filter.operator === '' || id === filter.operator);
  const people = operators && peopleOf(operators, filter.operator === '' ? (links.items ?? []) : []);
  const closeLink = () => {
    setInviting(false);
    setLinking(undefined);
    links.reload();
  };
  const onRemoved = () => {
    for (const list of [pages, sessions, links]) list.reload();
  };
  return (
    <Page
      title="Operators"
      lead="Every operator can see and change everything. There are no passwords: operators sign in with a link that works once."
      actions={
        <>
          <Button icon={<LogOut size={15} />} onClick={() => signOut().then(() => go('/'), tellError)}>
            Sign out
          </Button>
          <Button look="primary" icon={<UserPlus size={15} />} onClick={() => setInviting(true)}>
            Invite
          </Button>
        </>
      }
    >
      {filter.operator !== '' && <OnlyOne what="operator" all="Show all operators" to="/console/operators" />}
      <PagedTable
        label="Operators"
        pages={{ ...pages, items: people, change: () => {} }}
        columns={personColumns({ onLink: setLinking, onRemove: setRemoving, onWithdraw: setRevoking })}
        rowKey={personKey}
        empty={<EmptyState title="This operator has been removed" />}
      />
      <Sessions pages={sessions} operatorId={filter.operator || undefined} />
      <PendingLinks pages={links} onRevoke={setRevoking} />
      <Section
        title="Audit log"
        aside={
          <a className={styles.export} href={operatorUrl('/audit/export')} download>
            <Download size={15} aria-hidden="true" />
            Download audit log
          </a>
        }
      >
        <AuditList />
      </Section>
      {inviting && <Invite onClose={closeLink} />}
      {linking !== undefined && <CreateLink operator={linking} onClose={closeLink} />}
      {revoking !== undefined && (
        <RevokeLink link={revoking} onClose={() => setRevoking(undefined)} onRevoked={links.reload} />
      )}
      {removing !== undefined && (
        <RemoveOperator operator={removing} onClose={() => setRemoving(undefined)} onRemoved={onRemoved} />
      )}
    </Page>
  );
}
