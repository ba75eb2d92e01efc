import { useEffect, useRef } from 'react';
import { useSession } from '../shell/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { tell, tellError } from '../ui/messages.tsx';

/**
 * Explains how to sign in. Editing needs no session; saving, sealing and running do. The draft is kept meanwhile. When the user
 * returns from the tab with the sign-in link, the dialog notices the session and `onSignedIn` continues.
 */
export function SignInDialog({
  what,
  onClose,
  onSignedIn,
}: {
  what: string;
  onClose: () => void;
  onSignedIn: () => void;
}) {
  const left = useRef(false);
  const check = async () => {
    await useSession.getState().refresh();
    if (useSession.getState().status !== 'in' || left.current) return;
    left.current = true;
    tell('good', 'Signed in');
    onClose();
    onSignedIn();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: listens once; `check` reads the store
  useEffect(() => {
    const look = () => void check().catch(() => {});
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, []);
  return (
    <Dialog
      title="Sign in first"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Later</Button>
          <Button look="primary" onClick={() => void check().catch(tellError)}>
            I have signed in
          </Button>
        </>
      }
    >
      <p>
        {what} needs a signed-in operator, because the package is sealed with the server’s key. Open your
        sign-in link in another tab; the server printed one at its first start, and{' '}
        <code>rowpress login-link</code> makes a new one.
      </p>
      <p>Your work is kept as a draft in this browser.</p>
    </Dialog>
  );
}
