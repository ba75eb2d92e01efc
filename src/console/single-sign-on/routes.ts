import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { recordAction } from '../audit/record-action.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { signedIn as signedInSchema } from '../contract/session.ts';
import { startedSignOn } from '../contract/single-sign-on.ts';
import { refuse } from '../errors.ts';
import type { OperatorApp } from '../operator-app.ts';
import { limitSignIns } from '../session/limit-sign-ins.ts';
import { linkAddress } from '../session/link-address.ts';
import { setSessionCookie } from '../session/session-cookie.ts';
import { visitorOf } from '../session/session-guard.ts';
import { showSignedIn } from '../session/show-signed-in.ts';
import { checksOf, endAttempt, makeAttemptToken, startAttempt } from './attempt.ts';
import { readPerson } from './claimed-person.ts';
import { explainProviderError, explainRefusal } from './explain.ts';
import { signInIdentity } from './sign-in-identity.ts';
import type { SingleSignOn } from './single-sign-on.ts';

const open = { public: true };
/** The start needs no body. */
const MAX_START_BYTES = 1_000;
/** The code of some providers has more than 2 kB. */
const MAX_RESPONSE_BYTES = 16_000;
const responseBody = z.strictObject({
  response: z
    .string()
    .min(1)
    .max(MAX_RESPONSE_BYTES - 100),
});

/**
 * Single sign-on in two requests of the sign-in screen. The provider sends the browser back to this screen, which posts the response; so
 * the operator API accepts no request of another site, and every error is a sentence on the screen.
 */
export function singleSignOnRoutes(app: OperatorApp, parts: ConsoleParts): void {
  app.post(
    '/single-sign-on',
    {
      bodyLimit: MAX_START_BYTES,
      config: open,
      onRequest: limitSignIns(parts),
      schema: { response: { 200: startedSignOn } },
    },
    async (request, reply) => {
      const { provider } = configured(parts);
      const token = makeAttemptToken();
      const checks = checksOf(token, redirectUri(parts, request));
      const authorization_url = await provider.authorizationUrl(checks).catch(explainProviderError(request));
      await startAttempt(parts, request, reply, token);
      return { authorization_url };
    },
  );

  app.post(
    '/single-sign-on/session',
    {
      bodyLimit: MAX_RESPONSE_BYTES,
      config: open,
      onRequest: limitSignIns(parts),
      schema: { body: responseBody, response: { 200: signedInSchema } },
    },
    async (request, reply) => {
      const { db, session: settings } = parts;
      const { provider, mapping } = configured(parts);
      const attempt = await endAttempt(parts, request, reply);
      if (attempt === undefined)
        throw refuse(
          'SINGLE_SIGN_ON_FAILED',
          'This sign-in has expired, was completed already, or began in another browser. Start it again.',
        );
      const checks = checksOf(attempt, redirectUri(parts, request));
      const claims = await provider
        .claims(request.body.response, checks)
        .catch(explainProviderError(request));
      const outcome = await signInIdentity(
        parts,
        readPerson(claims, mapping),
        visitorOf(request),
        (tx, operatorId, entry) => recordAction({ ...parts, db: tx }, request, entry, operatorId),
      );
      if ('reason' in outcome) throw explainRefusal(request, outcome, claims);
      const { token, operator, maxAgeSeconds } = outcome;
      setSessionCookie(request, reply, { token, maxAgeSeconds }, settings.cookie);
      return showSignedIn(db, operator, settings.csrfTokenOf(token));
    },
  );
}

function configured({ singleSignOn }: ConsoleParts): SingleSignOn {
  if (singleSignOn === undefined)
    throw refuse('NOT_FOUND', 'Single sign-on is not configured. Sign in with a one-time link.');
  return singleSignOn;
}

/**
 * The sign-in screen, to which the provider sends the browser back. It starts like a sign-in link, so that it is a known address. As a
 * browser writes it: providers compare the texts of both requests, and the second is built from a URL.
 */
function redirectUri({ settings }: ConsoleParts, request: FastifyRequest): string {
  const address = linkAddress(request, settings);
  if (address === '' || address.startsWith('/'))
    throw refuse(
      'SINGLE_SIGN_ON_UNAVAILABLE',
      'Single sign-on needs ROWPRESS_PUBLIC_URL. Set it to the address of this server and restart the server.',
    );
  return new URL(`${address}/sign-in`).href;
}
