import { useState } from 'react';
import type { CreatedLink, Operator } from '#console/contract/operators.ts';
import { callJson } from '../../api/operator-client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Refusal } from '../parts/refusal.tsx';
import { MadeLinkDialog } from './made-link.tsx';

/** A link for an operator whose session has ended, or who signs in on another device. */
export function CreateLink({ operator, onClose }: { operator: Operator; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const [made, setMade] = useState<CreatedLink | undefined>();
  const create = async () => {
    setBusy(true);
    setRefused(undefined);
    try {
      setMade(await callJson<CreatedLink>(`/operators/${operator.id}/sign-in-links`, { method: 'POST' }));
    } catch (error) {
      setRefused(error);
    }
    setBusy(false);
  };
  if (made !== undefined) return <MadeLinkDialog name={operator.name} made={made} onClose={onClose} />;
  return (
    <Dialog
      key="asked"
      question
      title={`Create a sign-in link for ${operator.name}?`}
      onClose={onClose}
      actions={
        <Button look="primary" resting={busy} onClick={create}>
          Create link
        </Button>
      }
    >
      <p>
        The link signs in as {operator.name}, once, within a day. Use it after a session has ended or on
        another device.
      </p>
      {refused !== undefined && <Refusal title="Link not created" error={refused} />}
    </Dialog>
  );
}
