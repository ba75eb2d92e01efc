import { useState } from 'react';
import type { PendingLink } from '#console/contract/session.ts';
import { callJson } from '../../api/operator-client.ts';
import { EmptyState } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { tell } from '../../ui/messages.tsx';
import { Confirm } from '../parts/confirm.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { Time } from '../parts/time.tsx';
import type { Pages } from '../parts/use-pages.ts';
import { linkName } from './access.ts';

const linkColumns = (onRevoke: (link: PendingLink) => void): readonly Column<PendingLink>[] => [
  { title: 'For', grow: true, cell: (link) => <strong>{linkName(link)}</strong> },
  { title: 'Kind', cell: ({ kind }) => (kind === 'invitation' ? 'Invitation' : 'Sign-in link') },
  { title: 'Created by', cell: ({ made_by }) => made_by?.name ?? 'Command line' },
  { title: 'Created', align: 'end', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Expires', align: 'end', cell: ({ expires_at }) => <Time at={expires_at} /> },
  {
    title: 'Actions',
    hideTitle: true,
    align: 'end',
    cell: (link) => (
      <Button look="danger" aria-label={`Revoke link for ${linkName(link)}`} onClick={() => onRevoke(link)}>
        Revoke
      </Button>
    ),
  },
];

/** Links that have not been used. */
export function PendingLinks({ pages }: { pages: Pages<PendingLink> }) {
  const [revoking, setRevoking] = useState<PendingLink | undefined>();
  const revoke = async (link: PendingLink) => {
    await callJson(`/sign-in-links/${link.id}`, { method: 'DELETE' });
    tell('good', 'Link revoked');
    pages.reload();
  };
  return (
    <Section title="Unused links">
      <PagedTable
        label="Unused links"
        pages={pages}
        columns={linkColumns(setRevoking)}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No unused links">
            Invitations and sign-in links appear here until they are used.
          </EmptyState>
        }
      />
      {revoking !== undefined && (
        <Confirm
          title={`Revoke the link for ${linkName(revoking)}?`}
          action="Revoke link"
          onConfirm={() => revoke(revoking)}
          onClose={() => setRevoking(undefined)}
        >
          <p>The link stops working at once. You can create another one at any time.</p>
        </Confirm>
      )}
    </Section>
  );
}
