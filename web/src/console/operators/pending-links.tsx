import type { PendingLink } from '#console/contract/session.ts';
import { callJson } from '../../api/operator-client.ts';
import { May } from '../../shell/may.tsx';
import { Button } from '../../ui/button.tsx';
import { tell } from '../../ui/messages.tsx';
import { Confirm } from '../parts/confirm.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { Time } from '../parts/time.tsx';
import type { Pages } from '../parts/use-pages.ts';
import { linkName } from './access.ts';
import { isInvitation } from './operator-table.tsx';

const linkColumns = (onRevoke: (link: PendingLink) => void): readonly Column<PendingLink>[] => [
  { title: 'For', grow: true, cell: (link) => <strong>{linkName(link)}</strong> },
  { title: 'Created by', cell: ({ made_by }) => made_by?.name ?? 'Command line' },
  { title: 'Created', align: 'end', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Expires', align: 'end', cell: ({ expires_at }) => <Time at={expires_at} /> },
  {
    title: 'Actions',
    hideTitle: true,
    align: 'end',
    cell: (link) => (
      <May need="manage">
        <Button look="danger" aria-label={`Revoke link for ${linkName(link)}`} onClick={() => onRevoke(link)}>
          Revoke
        </Button>
      </May>
    ),
  },
];

/** Unused sign-in links. Invitations are rows of the operators' table. */
export function PendingLinks({
  pages,
  onRevoke,
}: {
  pages: Pages<PendingLink>;
  onRevoke: (link: PendingLink) => void;
}) {
  const items = pages.items?.filter((link) => !isInvitation(link));
  if (items?.length === 0) return null;
  return (
    <Section title="Unused sign-in links">
      <PagedTable
        label="Unused sign-in links"
        pages={{ ...pages, items }}
        columns={linkColumns(onRevoke)}
        rowKey={({ id }) => id}
        empty={null}
      />
    </Section>
  );
}

/** Asks before a link or an invitation stops working. */
export function RevokeLink({
  link,
  onClose,
  onRevoked,
}: {
  link: PendingLink;
  onClose: () => void;
  onRevoked: () => void;
}) {
  const invited = isInvitation(link);
  const revoke = async () => {
    await callJson(`/sign-in-links/${link.id}`, { method: 'DELETE' });
    tell('good', invited ? 'Invitation withdrawn' : 'Link revoked');
    onRevoked();
  };
  return (
    <Confirm
      title={
        invited ? `Withdraw the invitation of ${linkName(link)}?` : `Revoke the link for ${linkName(link)}?`
      }
      action={invited ? 'Withdraw invitation' : 'Revoke link'}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>The link stops working at once. You can create another one at any time.</p>
    </Confirm>
  );
}
