import { useState } from 'react';
import { passkeyObstacle, readSupport } from './passkey-words.ts';

/** Why passkeys do not work on this page. */
export const usePasskeyObstacle = () => useState(() => passkeyObstacle(readSupport()))[0];

/** The reason, with a link to localhost if the same page works there. */
export function PasskeyHelp({ obstacle }: { obstacle: NonNullable<ReturnType<typeof passkeyObstacle>> }) {
  const { protocol, port, pathname } = window.location;
  const address = `${protocol}//localhost${port && `:${port}`}`;
  return (
    <p>
      {obstacle.reason}
      {obstacle.localhost && (
        <>
          {' '}
          Open <a href={`${address}${pathname}`}>{address}</a> to use one.
        </>
      )}
    </p>
  );
}
