import { Copy } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { tell } from '../ui/messages.tsx';
import { Link } from './link.tsx';
import styles from './sign-in-screen.module.css';
import { SingleSignOn, useSingleSignOnLabel } from './single-sign-on.tsx';

const PasskeySignIn = lazy(() => import('./passkey-sign-in.tsx'));
const COMMAND = './bin/rowpress login-link';

/** How to get a session. There are no passwords: anyone who can run commands on the server can create a link. */
export function SignInHelp({ title }: { title: string }) {
  const provider = useSingleSignOnLabel();
  const copy = async () => {
    if (await copyText(COMMAND)) tell('good', 'Command copied');
  };
  return (
    <section className={styles.card} aria-label={title}>
      <h1>{title}</h1>
      <SingleSignOn label={provider ?? null} />
      {/* Not before the provider is known: the leading button would change. */}
      {provider !== undefined && (
        <Suspense>
          <PasskeySignIn isLeading={provider === null} />
        </Suspense>
      )}
      <p>
        Sign in with a one-time link. The server printed one when it first started; on the machine it runs on,
        this makes a new one:
      </p>
      <div className={styles.command}>
        <code>{COMMAND}</code>
        <Button look="quiet" icon={<Copy size={14} />} onClick={copy}>
          Copy
        </Button>
      </div>
      <p>Or ask an operator who is signed in to create a link for you under Console, People.</p>
      <p className={styles.aside}>
        <Link to="/">The editor works without signing in.</Link> Saving and exporting projects and running
        jobs need it.
      </p>
    </section>
  );
}
