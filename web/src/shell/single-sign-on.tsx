import { LogIn } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { SignedIn } from '#console/contract/session.ts';
import type { StartedSignOn } from '#console/contract/single-sign-on.ts';
import { callJson } from '../api/operator-client.ts';
import { serverSettings } from '../api/server-settings.ts';
import { Banner } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { go } from './router.ts';
import { useSession } from './session.ts';
import { takeWantedPage } from './wanted-page.ts';

/** The response of the provider, which sends the browser back to the sign-in screen; null on any other visit. */
function readResponse(): string | null {
  const { pathname, search } = window.location;
  const query = new URLSearchParams(search);
  const isResponse = pathname.endsWith('/sign-in') && query.has('state');
  return isResponse && (query.has('code') || query.has('error')) ? search.slice(1) : null;
}

/** The text of the button; null if this installation has no provider, undefined until that is known. */
export function useSingleSignOnLabel(): string | null | undefined {
  const [label, setLabel] = useState<string | null>();
  useEffect(() => {
    serverSettings().then(
      (settings) => setLabel(settings.single_sign_on?.label ?? null),
      () => setLabel(null),
    );
  }, []);
  return label;
}

/** The button that signs in with the provider of this installation. Shows nothing without a label. */
export function SingleSignOn({ label }: { label: string | null }) {
  const [response] = useState(readResponse);
  const [isBusy, setBusy] = useState(response !== null);
  const [refused, setRefused] = useState<string | null>(null);
  const fail = (error: unknown) => {
    setBusy(false);
    setRefused(error instanceof Error ? error.message : String(error));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a response is used once
  useEffect(() => {
    if (response === null) return;
    // The code is not needed in the history.
    window.history.replaceState(null, '', window.location.pathname);
    complete(response).then(() => go(takeWantedPage() ?? '/', { replace: true }), fail);
  }, [response]);
  const start = () => {
    setBusy(true);
    setRefused(null);
    callJson<StartedSignOn>('/single-sign-on', { method: 'POST' }).then(
      ({ authorization_url }) => window.location.assign(authorization_url),
      fail,
    );
  };
  return (
    <>
      {refused !== null && (
        <Banner tone="bad" title="You are not signed in">
          {refused}
        </Banner>
      )}
      {isBusy && <Waiting label="Signing in" />}
      {!isBusy && label !== null && (
        <Button look="primary" icon={<LogIn size={16} />} onClick={start}>
          {label}
        </Button>
      )}
    </>
  );
}

async function complete(response: string): Promise<void> {
  const json = { response };
  useSession.getState().begin(await callJson<SignedIn>('/single-sign-on/session', { method: 'POST', json }));
}
