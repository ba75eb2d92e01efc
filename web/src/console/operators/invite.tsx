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
        key="made"
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
      key="asked"
      title="Invite an operator"
      onClose={onClose}
      onSubmit={invite}
      actions={
        <Button type="submit" look="primary" resting={busy} disabled={name.trim() === ''}>
          Make a link
        </Button>
      }
    >
      <TextField
        label="Name"
        hint="As it will stand in this list and beside what they do."
        error={aboutField(refused, 'name')}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {refused !== undefined && aboutField(refused, 'name') === undefined && (
        <Refusal title="No link was made" error={refused} />
      )}
    </Dialog>
  );
}
