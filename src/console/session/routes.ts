import { z } from 'zod';
import { deleteSession } from '#storage/console/sessions.ts';
import { recordAction } from '../audit/record-action.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { session as sessionSchema, signedIn as signedInSchema, signedOut } from '../contract/session.ts';
import { refuse } from '../errors.ts';
import type { OperatorApp } from '../operator-app.ts';
import { limitSignIns } from './limit-sign-ins.ts';
import { clearSessionCookie, setSessionCookie } from './session-cookie.ts';
import { findOperator, getOperator, visitorOf } from './session-guard.ts';
import { showSignedIn } from './show-signed-in.ts';
import { signIn } from './sign-in.ts';

const open = { public: true };
/** A token is 43 characters; this route is open to everybody. */
const MAX_SIGN_IN_BYTES = 1_000;
const tokenBody = z.strictObject({ token: z.string().min(1).max(200) });

/** Sign in, show the current session, sign out. */
export function sessionRoutes(app: OperatorApp, parts: ConsoleParts): void {
  const { db, session: settings } = parts;
  app.post(
    '/session',
    {
      bodyLimit: MAX_SIGN_IN_BYTES,
      config: open,
      onRequest: limitSignIns(parts),
      schema: { body: tokenBody, response: { 200: signedInSchema } },
    },
    async (request, reply) => {
      const signedIn = await signIn(parts, request.body.token, visitorOf(request), (tx, operatorId) =>
        recordAction(
          { ...parts, db: tx },
          request,
          { action: 'signed-in', details: { method: 'link' } },
          operatorId,
        ),
      );
      if (signedIn === undefined)
        throw refuse(
          'SIGN_IN_LINK_INVALID',
          'This link is unknown, was used already or has expired. `rowpress login-link` prints a new one.',
        );
      const { token, operator, maxAgeSeconds } = signedIn;
      setSessionCookie(request, reply, { token, maxAgeSeconds }, settings.cookie);
      return showSignedIn(db, operator, settings.csrfTokenOf(token));
    },
  );

  app.get('/session', { config: open, schema: { response: { 200: sessionSchema } } }, async (request) => {
    const session = findOperator(request);
    if (session === undefined) return { signed_in: false as const };
    const { operatorId: id, operatorName: name, role, accountId: account_id } = session;
    return showSignedIn(db, { id, name, role, account_id }, session.csrfToken);
  });

  app.delete(
    '/session',
    { config: { needs: 'self' }, schema: { response: { 200: signedOut } } },
    async (request, reply) => {
      await db.transaction().execute(async (tx) => {
        await deleteSession(tx, getOperator(request).tokenHash);
        await recordAction({ ...parts, db: tx }, request, { action: 'signed-out' });
      });
      clearSessionCookie(request, reply, settings.cookie);
      return { signed_in: false as const };
    },
  );
}
