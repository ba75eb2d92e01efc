import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  deleteOtherSessions,
  deleteSessionById,
  type ListedSession,
  listSessions,
} from '#storage/console/sessions.ts';
import { deleteSignInLink, type ListedLink, listSignInLinks } from '#storage/console/sign-in-links.ts';
import { rolesWith } from '../access/roles.ts';
import { showRole } from '../access/shown-role.ts';
import { recordAction } from '../audit/record-action.ts';
import type { ConsoleParts } from '../console-parts.ts';
import {
  listedSessionPage,
  type PendingLink,
  pendingLinkPage,
  revokedSessions,
} from '../contract/session.ts';
import type { OperatorApp } from '../operator-app.ts';
import { idFrom, nothing, pageQuery, pageWithin } from '../page.ts';
import { clearSessionCookie } from './session-cookie.ts';
import { getOperator } from './session-guard.ts';
import { sessionBounds } from './session-times.ts';

const params = z.object({ id: z.string() });

/** Lists and revokes sessions and unused sign-in links. */
export function accessRoutes(app: OperatorApp, parts: ConsoleParts): void {
  const { db, clock, session: settings } = parts;

  app.get(
    '/sessions',
    { config: { needs: 'self' }, schema: { querystring: pageQuery, response: { 200: listedSessionPage } } },
    async (request) => {
      const { id: own, operatorId, role } = getOperator(request);
      const of = rolesWith.inspect.includes(role) ? undefined : operatorId;
      const sessions = await listSessions(db, sessionBounds(clock.now(), settings.times), of);
      return pageWithin(
        sessions.map((session) => showSession(session, own)),
        request.query,
      );
    },
  );

  app.delete(
    '/sessions/:id',
    { config: { needs: 'self' }, schema: { params, response: { 204: z.undefined() } } },
    async (request, reply) => {
      const id = idFrom(request.params.id, 'session');
      await db.transaction().execute(async (tx) => {
        const operatorId = await deleteSessionById(tx, id, endsOnly(request));
        if (operatorId === undefined) throw nothing('session');
        await recordAction({ ...parts, db: tx }, request, {
          action: 'session.revoked',
          target: id,
          details: { operator_id: operatorId },
        });
      });
      if (id === getOperator(request).id) clearSessionCookie(request, reply, settings.cookie);
      return reply.status(204).send();
    },
  );

  app.delete(
    '/sessions',
    {
      config: { needs: 'self' },
      schema: {
        querystring: z.object({ operator: z.string().optional() }),
        response: { 200: revokedSessions },
      },
    },
    async (request) => {
      const { operator } = request.query;
      const operatorId = operator === undefined ? endsOnly(request) : idFrom(operator, 'operator');
      if (operatorId !== (endsOnly(request) ?? operatorId)) throw nothing('operator');
      return db.transaction().execute(async (tx) => {
        const revoked = await deleteOtherSessions(tx, getOperator(request).id, operatorId);
        await recordAction({ ...parts, db: tx }, request, {
          action: 'sessions.revoked',
          ...(operatorId !== undefined && { target: operatorId }),
          details: { revoked },
        });
        return { revoked };
      });
    },
  );

  app.get(
    '/sign-in-links',
    { config: { needs: 'inspect' }, schema: { querystring: pageQuery, response: { 200: pendingLinkPage } } },
    async (request) => pageWithin((await listSignInLinks(db, clock.now())).map(showLink), request.query),
  );

  app.delete(
    '/sign-in-links/:id',
    { config: { needs: 'manage' }, schema: { params, response: { 204: z.undefined() } } },
    async (request, reply) => {
      const id = idFrom(request.params.id, 'link');
      await db.transaction().execute(async (tx) => {
        if (!(await deleteSignInLink(tx, id))) throw nothing('link');
        await recordAction({ ...parts, db: tx }, request, { action: 'link.revoked', target: id });
      });
      return reply.status(204).send();
    },
  );
}

/** The operator whose sessions the person can end; undefined: those of everyone. */
const endsOnly = (request: FastifyRequest): string | undefined => {
  const { operatorId, role } = getOperator(request);
  return rolesWith.manage.includes(role) ? undefined : operatorId;
};

const showSession = (session: ListedSession, own: string) => ({
  id: session.id,
  operator: { id: session.operator_id, name: session.operator_name },
  created_at: session.created_at.toISOString(),
  last_seen_at: session.last_seen_at.toISOString(),
  expires_at: session.expires_at.toISOString(),
  address: session.address,
  user_agent: session.user_agent,
  is_current: session.id === own,
});

const showLink = (link: ListedLink): PendingLink => ({
  id: link.id,
  kind: link.for_operator_id !== null ? 'sign-in' : link.for_name !== null ? 'invitation' : 'first-operator',
  for: link.for_name,
  ...showRole(link),
  made_by: link.made_by_id === null ? null : { id: link.made_by_id, name: link.made_by_name },
  created_at: link.created_at.toISOString(),
  expires_at: link.expires_at.toISOString(),
});
