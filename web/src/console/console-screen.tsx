import { lazy, Suspense, useEffect } from 'react';
import type { Need } from '#console/contract/access.ts';
import { Header } from '../shell/header.tsx';
import { go, usePlace } from '../shell/router.ts';
import { useSession } from '../shell/session.ts';
import { SignInHelp } from '../shell/sign-in-help.tsx';
import { rememberWantedPage } from '../shell/wanted-page.ts';
import { Waiting } from '../ui/waiting.tsx';
import styles from './console-screen.module.css';
import { Navigation } from './navigation.tsx';
import { screens } from './screens.ts';
import { GlobalSearch } from './search/global-search.tsx';

const FIRST = 'jobs';

/** The console: a search bar on top, the navigation on the left, one screen at a time. */
export function ConsoleScreen() {
  const { segments } = usePlace();
  const { status, may } = useSession();
  const name = segments[1] ?? FIRST;
  useEffect(() => {
    if (status === 'out') rememberWantedPage();
  }, [status]);
  useEffect(() => {
    if (segments[1] === undefined) go(`/console/${FIRST}`, { replace: true });
  }, [segments]);
  return (
    <div className={styles.console}>
      <Header>{status === 'in' && <GlobalSearch />}</Header>
      <div className={styles.body}>
        {status === 'in' && <Navigation current={name} />}
        <main className={styles.main}>
          {status === 'unknown' && <Waiting />}
          {status === 'out' && <SignInHelp title="Sign in to the console" />}
          {status === 'in' && <Suspense fallback={<Waiting />}>{screenOf(name, segments[2], may)}</Suspense>}
        </main>
      </div>
    </div>
  );
}

const NotAllowedScreen = lazy(async () => ({
  default: (await import('./not-allowed-screen.tsx')).NotAllowedScreen,
}));
const NotFoundScreen = lazy(async () => ({
  default: (await import('./not-found-screen.tsx')).NotFoundScreen,
}));

function screenOf(name: string, id: string | undefined, may: readonly Need[]) {
  const found = Object.hasOwn(screens, name) ? screens[name] : undefined;
  if (found !== undefined && !may.includes(found.need)) return <NotAllowedScreen need={found.need} />;
  const Screen = id === undefined ? found?.list : found?.detail;
  return Screen === undefined ? <NotFoundScreen /> : <Screen key={`${name}/${id ?? ''}`} id={id ?? ''} />;
}
