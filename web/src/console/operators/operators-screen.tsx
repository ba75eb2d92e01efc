import { LogOut, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { callJson } from '../../api/operator-client.ts';
import { go } from '../../shell/router.ts';
import { useSession } from '../../shell/session.ts';
import { Badge, EmptyState } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { tellError } from '../../ui/messages.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Page, Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { Time } from '../parts/time.tsx';
import { type Page as ListPage, usePages } from '../parts/use-pages.ts';
import { AuditList } from './audit-list.tsx';
import { Invite } from './invite.tsx';
import type { Operator } from './operator.ts';
import { RemoveOperator } from './remove-operator.tsx';

const operatorColumns = (onRemove: (operator: Operator) => void): readonly Column<Operator>[] => [
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
      <Button look="danger" aria-label={`Remove ${operator.name}`} onClick={() => onRemove(operator)}>
        Remove
      </Button>
    ),
  },
];

/** The people who may use this console, and what they did. */
export function OperatorsScreen() {
  const signOut = useSession((session) => session.signOut);
  const [inviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Operator | undefined>();
  const pages = usePages<Operator>('operators', (cursor, signal) =>
    callJson<ListPage<Operator>>('/operators', { query: { cursor, limit: 100 }, signal }),
  );
  return (
    <Page
      title="Operators"
      lead="Everybody here may see and steer everything. There are no passwords: each signs in with a link that works once."
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
        columns={operatorColumns(setRemoving)}
        rowKey={({ id }) => id}
        empty={<EmptyState title="Nobody is here" />}
      />
      <Section title="What was done">
        <AuditList />
      </Section>
      {inviting && <Invite onClose={() => setInviting(false)} />}
      {removing !== undefined && (
        <RemoveOperator operator={removing} onClose={() => setRemoving(undefined)} onRemoved={pages.reload} />
      )}
    </Page>
  );
}
