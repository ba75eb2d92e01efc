import { z } from 'zod';
import { listOperators, removeOperator } from '#storage/console/operators.ts';
import { recordAction } from '../audit/record-action.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { createdLink, operatorPage } from '../contract/operators.ts';
import { refuse } from '../errors.ts';
import type { OperatorApp } from '../operator-app.ts';
import { idFrom, nameText, nothing, pageQuery, pageWithin } from '../page.ts';
import { linkAddress, RELATIVE_LINK_NOTE } from '../session/link-address.ts';
import { getOperator } from '../session/session-guard.ts';
import { sessionBounds } from '../session/session-times.ts';
import { makeSignInLink, type SignInLink } from '../session/sign-in-link.ts';

const params = z.object({ id: z.string() });

/** Operators: list, invite, create sign-in links, remove. The last operator cannot be removed, which would lock everyone out. */
export function operatorRoutes(app: OperatorApp, parts: ConsoleParts): void {
  const { db, clock, settings } = parts;

  app.get(
    '/operators',
    { schema: { querystring: pageQuery, response: { 200: operatorPage } } },
    async (request) => {
      const self = getOperator(request).operatorId;
      const operators = (await listOperators(db, sessionBounds(clock.now(), parts.session.times))).map(
        (operator) => ({
          id: operator.id,
          name: operator.name,
          created_at: operator.created_at.toISOString(),
          last_seen_at: operator.last_seen_at?.toISOString() ?? null,
          sessions: operator.sessions,
          is_self: operator.id === self,
        }),
      );
      return pageWithin(operators, request.query);
    },
  );

  app.post(
    '/invitations',
    { schema: { body: z.strictObject({ name: nameText }), response: { 201: createdLink } } },
    async (request, reply) => {
      const { name } = request.body;
      const by = getOperator(request).operatorId;
      const made = await makeSignInLink(parts, linkAddress(request, settings), {
        kind: 'invitation',
        name,
        by,
      });
      await recordAction(parts, request, { action: 'operator.invited', target: name });
      return reply.status(201).send(showMadeLink(made));
    },
  );

  app.post(
    '/operators/:id/sign-in-links',
    { schema: { params, response: { 201: createdLink } } },
    async (request, reply) => {
      const operatorId = idFrom(request.params.id, 'operator');
      const by = getOperator(request).operatorId;
      const made = await makeSignInLink(parts, linkAddress(request, settings), {
        kind: 'operator',
        operatorId,
        by,
      });
      await recordAction(parts, request, { action: 'link.created', target: operatorId });
      return reply.status(201).send(showMadeLink(made));
    },
  );

  app.delete(
    '/operators/:id',
    { schema: { params, response: { 204: z.undefined() } } },
    async (request, reply) => {
      const id = idFrom(request.params.id, 'operator');
      const outcome = await db.transaction().execute((tx) => removeOperator(tx, id, clock.now()));
      if (outcome === 'unknown') throw nothing('operator');
      if (outcome === 'last') throw refuse('LAST_OPERATOR');
      await recordAction(parts, request, { action: 'operator.removed', target: id });
      return reply.status(204).send();
    },
  );
}

/** `note` explains how to complete a link that has no host. */
const showMadeLink = ({ link, expiresAt }: SignInLink) => ({
  link,
  expires_at: expiresAt.toISOString(),
  ...(link.startsWith('/') && { note: RELATIVE_LINK_NOTE }),
});
