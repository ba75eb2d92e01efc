import { useEffect, useState } from 'react';
import { Banner } from '../ui/badge.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { Header } from './header.tsx';
import { go } from './router.ts';
import { useSession } from './session.ts';
import styles from './sign-in-screen.module.css';

/**
 * The one-time link carries its token behind `#`, which browsers keep to themselves: it reaches no log and no proxy.
 * It is spent by a click-free POST, so a program that merely fetches the link does not use it up.
 */
export function SignInScreen() {
  const { status, signIn } = useSession();
  const [refused, setRefused] = useState<string | null>(null);
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token'));
  useEffect(() => {
    if (token === null) return;
    window.history.replaceState(null, '', window.location.pathname);
    signIn(token).then(
      () => go('/console/jobs', { replace: true }),
      (error: unknown) => setRefused(error instanceof Error ? error.message : String(error)),
    );
  }, [token, signIn]);
  return (
    <>
      <Header />
      <main className={styles.main}>
        <h1>Sign in</h1>
        {refused !== null && (
          <Banner tone="bad" title="This link does not work">
            {refused}
          </Banner>
        )}
        {token !== null && refused === null && status !== 'in' && <Waiting label="Signing in" />}
        {(token === null || refused !== null) && <HowToSignIn />}
      </main>
    </>
  );
}

function HowToSignIn() {
  return (
    <>
      <p>Sign in with a one-time link. The server printed one when it first started; a new one comes from</p>
      <pre className={styles.command}>./bin/rowpress login-link</pre>
      <p>
        or from somebody who is signed in, under Console, Operators. The editor works without signing in;
        sealing a package and running jobs need it.
      </p>
    </>
  );
}
