import { useState } from 'react';
import { callJson } from '../../api/operator-client.ts';
import { Banner } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { aboutField, Refusal } from '../parts/refusal.tsx';
import { Time } from '../parts/time.tsx';

interface Invitation {
  readonly link: string;
  readonly expires_at: string;
  /** Present if the link is a path, because the server has no configured address. */
  readonly note?: string;
}

export function Invite({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const [made, setMade] = useState<Invitation | undefined>();
  const invite = async () => {
    setBusy(true);
    setRefused(undefined);
    try {
      const invitation = await callJson<Invitation>('/invitations', {
        method: 'POST',
        json: { name: name.trim() },
      });
      setMade({ ...invitation, link: new URL(invitation.link, location.origin).href });
    } catch (error) {
      setRefused(error);
    }
    setBusy(false);
  };
  if (made !== undefined)
    return (
      <Dialog
        key="made"
        title={`Link for ${name.trim()} created`}
        onClose={onClose}
        actions={
          <>
            <CopyButton text={made.link} what="the link" words />
            <Button look="primary" onClick={onClose}>
              Done
            </Button>
          </>
        }
      >
        <Banner tone="warn" title="Shown once, works once">
          The first person to open this link is signed in. It expires <Time at={made.expires_at} />.
        </Banner>
        <CodeBlock text={made.link} what="the link" wrap />
        {made.note !== undefined && (
          <p>
            The link uses the address that your browser has opened. If others reach this server under another
            address, set ROWPRESS_PUBLIC_URL to it.
          </p>
        )}
      </Dialog>
    );
  return (
    <Dialog
      key="asked"
      title="Invite an operator"
      onClose={onClose}
      onSubmit={invite}
      actions={
        <Button type="submit" look="primary" resting={busy} disabled={name.trim() === ''}>
          Create link
        </Button>
      }
    >
      <TextField
        label="Name"
        hint="Shown in this list and in the audit log."
        error={aboutField(refused, 'name')}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {refused !== undefined && aboutField(refused, 'name') === undefined && (
        <Refusal title="Link not created" error={refused} />
      )}
    </Dialog>
  );
}
