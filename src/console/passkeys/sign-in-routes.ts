import { recordAction } from '../audit/record-action.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { requestOptions, usedCredential } from '../contract/passkeys.ts';
import { signedIn as signedInSchema } from '../contract/session.ts';
import type { OperatorApp } from '../operator-app.ts';
import { limitSignIns } from '../session/limit-sign-ins.ts';
import { setSessionCookie } from '../session/session-cookie.ts';
import { visitorOf } from '../session/session-guard.ts';
import { showSignedIn } from '../session/show-signed-in.ts';
import { makeChallenge } from './challenges.ts';
import { limitChallenges } from './limit-challenges.ts';
import { relyingPartyOf } from './relying-party.ts';
import { signInWithPasskey } from './sign-in-with-passkey.ts';
import { requestOptionsFor } from './web-authn.ts';

const open = { public: true };
/** These routes are open to everybody. The first takes no body. */
const MAX_OPTIONS_BYTES = 1_000;
/** The fields of a response have at most 12,828 characters. */
const MAX_RESPONSE_BYTES = 16_000;

/** Signs in with a passkey: the browser gets a challenge and returns it signed. */
export function passkeySignInRoutes(app: OperatorApp, parts: ConsoleParts): void {
  const { db, session: settings } = parts;
  const { publicUrl } = parts.settings;

  app.post(
    '/session/passkey-options',
    {
      bodyLimit: MAX_OPTIONS_BYTES,
      config: open,
      onRequest: limitChallenges(parts, ({ ip }) => ip),
      schema: { response: { 200: requestOptions } },
    },
    async (request) => {
      const party = relyingPartyOf(request, publicUrl);
      return requestOptionsFor(party, await makeChallenge(parts, null));
    },
  );

  app.post(
    '/session/passkey',
    {
      bodyLimit: MAX_RESPONSE_BYTES,
      config: open,
      onRequest: limitSignIns(parts),
      schema: { body: usedCredential, response: { 200: signedInSchema } },
    },
    async (request, reply) => {
      const party = relyingPartyOf(request, publicUrl);
      const visitor = visitorOf(request);
      const signedIn = await signInWithPasskey(parts, party, request.body, visitor, (tx, passkey) =>
        recordAction(
          { ...parts, db: tx },
          request,
          { action: 'signed-in', details: { method: 'passkey', passkey_id: passkey.id } },
          passkey.operator_id,
        ),
      );
      const { token, operator, maxAgeSeconds } = signedIn;
      setSessionCookie(request, reply, { token, maxAgeSeconds }, settings.cookie);
      return showSignedIn(db, operator, settings.csrfTokenOf(token));
    },
  );
}
