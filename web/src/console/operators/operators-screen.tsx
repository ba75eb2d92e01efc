import { Download, LogOut, UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { Page as ListPage } from '#console/contract/list.ts';
import type { Operator } from '#console/contract/operators.ts';
import type { ListedSession, PendingLink } from '#console/contract/session.ts';
import { callJson, operatorUrl } from '../../api/operator-client.ts';
import { go } from '../../shell/router.ts';
import { useSession } from '../../shell/session.ts';
import { Badge, EmptyState } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { tellError } from '../../ui/messages.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Page, Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { Time } from '../parts/time.tsx';
import { usePages } from '../parts/use-pages.ts';
import { AuditList } from './audit-list.tsx';
import { CreateLink } from './create-link.tsx';
import { Invite } from './invite.tsx';
import styles from './operators-screen.module.css';
import { PendingLinks } from './pending-links.tsx';
import { RemoveOperator } from './remove-operator.tsx';
import { Sessions } from './sessions.tsx';

interface OperatorActions {
  onLink(operator: Operator): void;
  onRemove(operator: Operator): void;
}

const operatorColumns = ({ onLink, onRemove }: OperatorActions): readonly Column<Operator>[] => [
  {
    title: 'Operator',
    grow: true,
    cell: ({ name, is_self }) => (
      <>
        <strong>{name}</strong> {is_self && <Badge tone="accent">you</Badge>}
      </>
    ),
  },
  { title: 'Sessions', align: 'end', cell: ({ sessions }) => sessions },
  { title: 'Last seen', align: 'end', cell: ({ last_seen_at }) => <Time at={last_seen_at} none="never" /> },
  { title: 'Since', align: 'end', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    title: 'Actions',
    hideTitle: true,
    align: 'end',
    cell: (operator) => (
      <>
        <Button aria-label={`Create link for ${operator.name}`} onClick={() => onLink(operator)}>
          Create link
        </Button>{' '}
        <Button look="danger" aria-label={`Remove ${operator.name}`} onClick={() => onRemove(operator)}>
          Remove
        </Button>
      </>
    ),
  },
];

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
  const pages = useAccess<Operator>('/operators');
  const sessions = useAccess<ListedSession>('/sessions');
  const links = useAccess<PendingLink>('/sign-in-links');
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
      <PagedTable
        label="Operators"
        pages={pages}
        columns={operatorColumns({ onLink: setLinking, onRemove: setRemoving })}
        rowKey={({ id }) => id}
        empty={<EmptyState title="No operators" />}
      />
      <Sessions pages={sessions} />
      <PendingLinks pages={links} />
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
      {removing !== undefined && (
        <RemoveOperator operator={removing} onClose={() => setRemoving(undefined)} onRemoved={onRemoved} />
      )}
    </Page>
  );
}
