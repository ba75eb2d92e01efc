import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Refusal } from './refusal.tsx';

/** Asks before an action that cannot be undone. If the action fails, the dialog stays open and shows the error. */
export function Confirm({
  title,
  action,
  dangerous = true,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  /** The word on the button: what will happen, not "OK". */
  action: string;
  dangerous?: boolean;
  onConfirm: () => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}) {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const confirm = async () => {
    setBusy(true);
    setRefused(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setRefused(error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      question
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Go back</Button>
          <Button look={dangerous ? 'danger' : 'primary'} resting={busy} onClick={confirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {refused !== undefined && <Refusal title="Request rejected" error={refused} />}
    </Dialog>
  );
}
