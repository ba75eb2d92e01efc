import { useState } from 'react';
import { callJson } from '../../api/operator-client.ts';
import { Banner } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Refusal } from '../parts/refusal.tsx';
import { Time } from '../parts/time.tsx';

interface Invitation {
  readonly link: string;
  readonly expires_at: string;
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
      setMade(await callJson<Invitation>('/invitations', { method: 'POST', json: { name: name.trim() } }));
    } catch (error) {
      setRefused(error);
    }
    setBusy(false);
  };
  if (made !== undefined)
    return (
      <Dialog
        title={`A link for ${name.trim()}`}
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
        <Banner tone="warn" title="It is shown this once and works once">
          Whoever opens it first is signed in. It ends <Time at={made.expires_at} />.
        </Banner>
        <CodeBlock text={made.link} what="the link" wrap />
      </Dialog>
    );
  return (
    <Dialog
      title="Invite an operator"
      onClose={onClose}
      actions={
        <Button look="primary" disabled={busy || name.trim() === ''} onClick={invite}>
          Make a link
        </Button>
      }
    >
      <TextField
        label="Name"
        hint="As it will stand in this list and beside what they do."
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {refused !== undefined && <Refusal title="No link was made" error={refused} />}
    </Dialog>
  );
}
