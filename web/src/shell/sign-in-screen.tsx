import { useEffect, useState } from 'react';
import { Banner } from '../ui/badge.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { Header } from './header.tsx';
import { Link } from './link.tsx';
import { go } from './router.ts';
import { useSession } from './session.ts';
import { SignInHelp } from './sign-in-help.tsx';
import styles from './sign-in-screen.module.css';
import { isConsolePage, takeWantedPage } from './wanted-page.ts';

/** The token of a link, and the page that it leads to, if it names one. */
function readLink(): { token: string | null; next: string | null } {
  const link = new URLSearchParams(window.location.hash.slice(1));
  const next = link.get('next');
  return { token: link.get('token'), next: next !== null && isConsolePage(next) ? next : null };
}

/**
 * Signs in with a one-time link. The token follows `#`, which browsers do not send, so it reaches no log and no proxy. The page
 * posts it at once; a program that only fetches the link does not use it up. The
 * editor's start screen follows, or the console page that the sign-in was needed for.
 */
export function SignInScreen() {
  const { status, operator, signIn } = useSession();
  const [refused, setRefused] = useState<string | null>(null);
  const [{ token, next }] = useState(readLink);
  useEffect(() => {
    if (token === null) return;
    window.history.replaceState(null, '', window.location.pathname);
    signIn(token).then(
      () => go(next ?? takeWantedPage() ?? '/', { replace: true }),
      (error: unknown) => setRefused(error instanceof Error ? error.message : String(error)),
    );
  }, [token, next, signIn]);
  const spending = token !== null && refused === null;
  return (
    <>
      <Header />
      <main className={styles.main}>
        {refused !== null && (
          <Banner tone="bad" title="This link does not work">
            {refused}
          </Banner>
        )}
        {spending && <Waiting label="Signing in" />}
        {!spending && status === 'in' && (
          <Banner tone="good" title={`Signed in as ${operator?.name}`}>
            <Link to="/">Open the editor</Link> or <Link to="/console/jobs">go to the console</Link>.
          </Banner>
        )}
        {!spending && status !== 'in' && <SignInHelp title="Sign in" />}
      </main>
    </>
  );
}
