import { useState } from 'react';
import type { ListedSession, RevokedSessions } from '#console/contract/session.ts';
import { callJson } from '../../api/operator-client.ts';
import { useMay } from '../../shell/may.tsx';
import { useSession } from '../../shell/session.ts';
import { Badge, EmptyState } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { deviceOrAgent } from '../../ui/device-words.ts';
import { tell } from '../../ui/messages.tsx';
import { Confirm } from '../parts/confirm.tsx';
import type { Column } from '../parts/data-table.tsx';
import { formatMany } from '../parts/format.ts';
import { Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { Time } from '../parts/time.tsx';
import type { Pages } from '../parts/use-pages.ts';

const sessionColumns = (
  mayRevoke: (session: ListedSession) => boolean,
  onRevoke: (session: ListedSession) => void,
): readonly Column<ListedSession>[] => [
  {
    title: 'Person',
    cell: ({ operator, is_current }) => (
      <>
        <strong>{operator.name}</strong> {is_current && <Badge tone="accent">this session</Badge>}
      </>
    ),
  },
  { title: 'Address', cell: ({ address }) => address ?? '–' },
  {
    title: 'Browser',
    grow: true,
    cell: ({ user_agent }) =>
      user_agent === null ? '–' : <span title={user_agent}>{deviceOrAgent(user_agent)}</span>,
  },
  { title: 'Signed in', align: 'end', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Last seen', align: 'end', cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
  { title: 'Expires', align: 'end', cell: ({ expires_at }) => <Time at={expires_at} /> },
  {
    title: 'Actions',
    hideTitle: true,
    align: 'end',
    cell: (session) =>
      mayRevoke(session) && (
        <Button
          look="danger"
          aria-label={`Revoke session of ${session.operator.name}${session.is_current ? ' (this session)' : ''}`}
          onClick={() => onRevoke(session)}
        >
          Revoke
        </Button>
      ),
  },
];

/** The sessions that the person can see, with buttons for those that the person can revoke. */
export function Sessions({
  pages,
  operatorId,
}: {
  pages: Pages<ListedSession>;
  /** Only the sessions of this operator. */
  operatorId: string | undefined;
}) {
  const { refresh, operator: self } = useSession();
  const endsAll = useMay('manage');
  const mayRevoke = ({ operator }: ListedSession) => endsAll || operator.id === self?.id;
  const [revoking, setRevoking] = useState<ListedSession | 'others' | undefined>();
  const revokeOne = async (session: ListedSession) => {
    await callJson(`/sessions/${session.id}`, { method: 'DELETE' });
    tell('good', 'Session revoked');
    if (session.is_current) await refresh();
    else pages.reload();
  };
  const revokeOthers = async () => {
    const { revoked } = await callJson<RevokedSessions>('/sessions', { method: 'DELETE' });
    tell('good', `${formatMany(revoked, 'session')} revoked`);
    pages.reload();
  };
  const close = () => setRevoking(undefined);
  const others = pages.items?.some((session) => !session.is_current && mayRevoke(session)) === true;
  return (
    <Section
      title="Sessions"
      aside={others && <Button onClick={() => setRevoking('others')}>Revoke all others</Button>}
    >
      <PagedTable
        label="Sessions"
        pages={{
          ...pages,
          items: pages.items?.filter(
            ({ operator }) => operatorId === undefined || operator.id === operatorId,
          ),
        }}
        columns={sessionColumns(mayRevoke, setRevoking)}
        rowKey={({ id }) => id}
        empty={<EmptyState title="No sessions" />}
      />
      {revoking === 'others' && (
        <Confirm
          title="Revoke all other sessions?"
          action="Revoke all others"
          onConfirm={revokeOthers}
          onClose={close}
        >
          <p>
            {endsAll
              ? 'Every session but this one ends at once, including your own on other devices. People need a new link or a passkey to sign in again.'
              : 'Your sessions on other devices end at once. To sign in there again, you need a new link or a passkey.'}
          </p>
        </Confirm>
      )}
      {revoking !== undefined && revoking !== 'others' && (
        <Confirm
          title={`Revoke this session of ${revoking.operator.name}?`}
          action="Revoke session"
          onConfirm={() => revokeOne(revoking)}
          onClose={close}
        >
          <p>
            {revoking.is_current ? 'You are signed out at once.' : 'The session ends at once.'} To sign in
            again, a new link or a passkey is needed.
          </p>
        </Confirm>
      )}
    </Section>
  );
}
