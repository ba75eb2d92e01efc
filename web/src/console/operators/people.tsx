import { useState } from 'react';
import type { Operator } from '#console/contract/operators.ts';
import type { PendingLink } from '#console/contract/session.ts';
import { EmptyState } from '../../ui/badge.tsx';
import { OnlyOne } from '../parts/only-one.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { ChangeRole } from './change-role.tsx';
import { CreateLink } from './create-link.tsx';
import { Invite } from './invite.tsx';
import { peopleOf, personColumns, personKey } from './operator-table.tsx';
import { PendingLinks, RevokeLink } from './pending-links.tsx';
import { RemoveOperator } from './remove-operator.tsx';
import { useAccess } from './use-access.ts';

/** The people of the installation, pending invitations and unused links. */
export function People({
  only,
  inviting,
  onInvited,
  onRemoved,
}: {
  /** The id of the one person to show; empty: all. */
  only: string;
  inviting: boolean;
  onInvited: () => void;
  onRemoved: () => void;
}) {
  const [changing, setChanging] = useState<Operator | undefined>();
  const [linking, setLinking] = useState<Operator | undefined>();
  const [removing, setRemoving] = useState<Operator | undefined>();
  const [revoking, setRevoking] = useState<PendingLink | undefined>();
  const pages = useAccess<Operator>('/operators');
  const links = useAccess<PendingLink>('/sign-in-links');
  const operators = pages.items?.filter(({ id }) => only === '' || id === only);
  const people = operators && peopleOf(operators, only === '' ? (links.items ?? []) : []);
  const reload = () => {
    pages.reload();
    links.reload();
  };
  const closeLink = () => {
    onInvited();
    setLinking(undefined);
    links.reload();
  };
  return (
    <>
      {only !== '' && <OnlyOne what="person" all="Show all people" to="/console/operators" />}
      <PagedTable
        label="People"
        pages={{ ...pages, items: people, change: () => {} }}
        columns={personColumns({
          onRole: setChanging,
          onLink: setLinking,
          onRemove: setRemoving,
          onWithdraw: setRevoking,
        })}
        rowKey={personKey}
        empty={<EmptyState title="This person has been removed" />}
      />
      <PendingLinks pages={links} onRevoke={setRevoking} />
      {inviting && <Invite onClose={closeLink} />}
      {changing !== undefined && (
        <ChangeRole operator={changing} onClose={() => setChanging(undefined)} onChanged={reload} />
      )}
      {linking !== undefined && <CreateLink operator={linking} onClose={closeLink} />}
      {revoking !== undefined && (
        <RevokeLink link={revoking} onClose={() => setRevoking(undefined)} onRevoked={links.reload} />
      )}
      {removing !== undefined && (
        <RemoveOperator
          operator={removing}
          onClose={() => setRemoving(undefined)}
          onRemoved={() => {
            reload();
            onRemoved();
          }}
        />
      )}
    </>
  );
}
