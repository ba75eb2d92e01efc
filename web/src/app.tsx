import { lazy, Suspense, useEffect } from 'react';
import { usePlace } from './shell/router.ts';
import { useSession } from './shell/session.ts';
import { StartScreen } from './start/start-screen.tsx';
import { keepFocus } from './ui/keep-focus.ts';
import { Messages, tellError } from './ui/messages.tsx';
import { Waiting } from './ui/waiting.tsx';

// The first load contains the start screen; the editor and the console are loaded on demand.
const EditorScreen = lazy(async () => ({
  default: (await import('./editor/editor-screen.tsx')).EditorScreen,
}));
const ConsoleScreen = lazy(async () => ({
  default: (await import('./console/console-screen.tsx')).ConsoleScreen,
}));
const SignInScreen = lazy(async () => ({
  default: (await import('./shell/sign-in-screen.tsx')).SignInScreen,
}));

export function App() {
  const { segments } = usePlace();
  const refresh = useSession((session) => session.refresh);
  useEffect(keepFocus, []);
  useEffect(() => {
    refresh().catch(tellError);
  }, [refresh]);
  return (
    <>
      <Suspense fallback={<Waiting />}>{screenFor(segments)}</Suspense>
      <Messages />
    </>
  );
}

function screenFor([area, id]: readonly string[]) {
  if (area === 'editor' && id !== undefined) return <EditorScreen projectId={id} />;
  if (area === 'console') return <ConsoleScreen />;
  if (area === 'sign-in') return <SignInScreen />;
  return <StartScreen />;
}
