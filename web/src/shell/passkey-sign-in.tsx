import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Banner } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { PasskeyHelp, usePasskeyObstacle } from './passkey-help.tsx';
import { passkeyProblem } from './passkey-words.ts';
import { signInWithPasskey } from './passkeys.ts';
import { go, usePlace } from './router.ts';
import { useSession } from './session.ts';
import { takeWantedPage } from './wanted-page.ts';

/**
 * Signs in with a passkey of this device. If passkeys do not work here, says why instead. From the sign-in page, it leads where a link
 * leads; a page of the console stays.
 */
export default function PasskeySignIn({ isLeading }: { isLeading: boolean }) {
  const refresh = useSession((session) => session.refresh);
  const onSignInPage = usePlace().segments[0] === 'sign-in';
  const obstacle = usePasskeyObstacle();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>();
  if (obstacle !== undefined) return <PasskeyHelp obstacle={obstacle} />;
  const signIn = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await signInWithPasskey();
      await refresh();
      if (onSignInPage) go(takeWantedPage() ?? '/', { replace: true });
    } catch (error) {
      setProblem(passkeyProblem(error));
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        look={isLeading ? 'primary' : 'plain'}
        icon={<KeyRound size={15} />}
        resting={busy}
        onClick={signIn}
      >
        Sign in with a passkey
      </Button>
      {problem !== undefined && (
        <Banner tone="bad" title="Not signed in">
          {problem}
        </Banner>
      )}
    </>
  );
}
