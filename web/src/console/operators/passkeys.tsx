import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Passkey } from '#console/contract/passkeys.ts';
import { callJson } from '../../api/operator-client.ts';
import { useMay } from '../../shell/may.tsx';
import { PasskeyHelp, usePasskeyObstacle } from '../../shell/passkey-help.tsx';
import { Badge, EmptyState } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { tell } from '../../ui/messages.tsx';
import { Confirm } from '../parts/confirm.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { Time } from '../parts/time.tsx';
import { NamePasskey } from './name-passkey.tsx';
import { useAccess } from './use-access.ts';

interface PasskeyActions {
  mayRemove(passkey: Passkey): boolean;
  onRename(passkey: Passkey): void;
  onRemove(passkey: Passkey): void;
}

const passkeyColumns = ({ mayRemove, onRename, onRemove }: PasskeyActions): readonly Column<Passkey>[] => [
  { title: 'Name', grow: true, cell: ({ name }) => <strong>{name}</strong> },
  {
    title: 'Person',
    cell: ({ operator, is_own }) => (
      <>
        {operator.name} {is_own && <Badge tone="accent">you</Badge>}
      </>
    ),
  },
  { title: 'Works for', cell: ({ rp_id }) => rp_id },
  { title: 'Created', align: 'end', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Last used', align: 'end', cell: ({ last_used_at }) => <Time at={last_used_at} none="never" /> },
  {
    title: 'Actions',
    hideTitle: true,
    align: 'end',
    cell: (passkey) => (
      <>
        {passkey.is_own && (
          <Button aria-label={`Rename passkey ${passkey.name}`} onClick={() => onRename(passkey)}>
            Rename
          </Button>
        )}{' '}
        {mayRemove(passkey) && (
          <Button
            look="danger"
            aria-label={`Remove passkey ${passkey.name} of ${passkey.operator.name}`}
            onClick={() => onRemove(passkey)}
          >
            Remove
          </Button>
        )}
      </>
    ),
  },
];

/** The passkeys that the person can see: the own ones, or those of all people. Operators remove those of lost devices. */
export function Passkeys({ operatorId }: { operatorId: string | undefined }) {
  const pages = useAccess<Passkey>('/passkeys');
  const removesAll = useMay('manage');
  const obstacle = usePasskeyObstacle();
  const [adding, setAdding] = useState(false);
  const [renaming, setRenaming] = useState<Passkey | undefined>();
  const [removing, setRemoving] = useState<Passkey | undefined>();
  const remove = async (passkey: Passkey) => {
    await callJson(`/passkeys/${passkey.id}`, { method: 'DELETE' });
    tell('good', 'Passkey removed');
    pages.reload();
  };
  return (
    <Section
      title="Passkeys"
      aside={
        obstacle === undefined && (
          <Button icon={<Plus size={15} />} onClick={() => setAdding(true)}>
            Add a passkey
          </Button>
        )
      }
    >
      <p>
        A passkey signs you in with the lock of your device: a fingerprint, a face or a PIN. The device keeps
        the secret; Rowpress stores only a public key.
      </p>
      {obstacle !== undefined && <PasskeyHelp obstacle={obstacle} />}
      <PagedTable
        label="Passkeys"
        pages={{
          ...pages,
          items: pages.items?.filter(
            ({ operator }) => operatorId === undefined || operator.id === operatorId,
          ),
        }}
        columns={passkeyColumns({
          mayRemove: ({ is_own }) => removesAll || is_own,
          onRename: setRenaming,
          onRemove: setRemoving,
        })}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No passkeys yet">
            {obstacle === undefined ? 'Add one to sign in without a link.' : undefined}
          </EmptyState>
        }
      />
      {adding && <NamePasskey onClose={() => setAdding(false)} onDone={pages.reload} />}
      {renaming !== undefined && (
        <NamePasskey passkey={renaming} onClose={() => setRenaming(undefined)} onDone={pages.reload} />
      )}
      {removing !== undefined && (
        <Confirm
          title={`Remove the passkey ${removing.name} of ${removing.operator.name}?`}
          action="Remove passkey"
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(undefined)}
        >
          <p>
            It stops working at once. Sessions that it started continue; you can revoke them below. The device
            may still offer the passkey until it is deleted there as well.
          </p>
        </Confirm>
      )}
    </Section>
  );
}
