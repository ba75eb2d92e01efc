import { z } from 'zod';
import { changeRole, listOperators, type RoleRecord, removeOperator } from '#storage/console/operators.ts';
import { readRole, roleBody } from '../access/chosen-role.ts';
import { showRole } from '../access/shown-role.ts';
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
const invitation = roleBody.partial({ role: true }).extend({ name: nameText });

/** People: list, invite, give a role, create sign-in links, remove. The last operator stays, or everyone would be locked out. */
export function operatorRoutes(app: OperatorApp, parts: ConsoleParts): void {
  const { db, clock, settings } = parts;

  app.get(
    '/operators',
    { config: { needs: 'inspect' }, schema: { querystring: pageQuery, response: { 200: operatorPage } } },
    async (request) => {
      const self = getOperator(request).operatorId;
      const operators = (await listOperators(db, sessionBounds(clock.now(), parts.session.times))).map(
        (operator) => ({
          id: operator.id,
          name: operator.name,
          ...showRole(operator),
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
    { config: { needs: 'manage' }, schema: { body: invitation, response: { 201: createdLink } } },
    async (request, reply) => {
      const { name, role: chosen = 'operator', account } = request.body;
      const role = await readRole(db, request, { role: chosen, account });
      const by = getOperator(request).operatorId;
      const made = await makeSignInLink(
        parts,
        linkAddress(request, settings),
        {
          kind: 'invitation',
          name,
          by,
          role,
        },
        (tx) =>
          recordAction({ ...parts, db: tx }, request, {
            action: 'operator.invited',
            target: name,
            ...roleDetails(role),
          }),
      );
      return reply.status(201).send(showMadeLink(made));
    },
  );

  app.post(
    '/operators/:id/sign-in-links',
    { config: { needs: 'manage' }, schema: { params, response: { 201: createdLink } } },
    async (request, reply) => {
      const operatorId = idFrom(request.params.id, 'operator');
      const by = getOperator(request).operatorId;
      const made = await makeSignInLink(
        parts,
        linkAddress(request, settings),
        {
          kind: 'operator',
          operatorId,
          by,
        },
        (tx) => recordAction({ ...parts, db: tx }, request, { action: 'link.created', target: operatorId }),
      );
      return reply.status(201).send(showMadeLink(made));
    },
  );

  app.patch(
    '/operators/:id',
    { config: { needs: 'manage' }, schema: { params, body: roleBody, response: { 204: z.undefined() } } },
    async (request, reply) => {
      const id = idFrom(request.params.id, 'operator');
      const role = await readRole(db, request, request.body);
      await db.transaction().execute(async (tx) => {
        const outcome = await changeRole(tx, id, role);
        if (outcome === 'unknown') throw nothing('operator');
        if (outcome === 'last') throw refuse('LAST_OPERATOR');
        const entry = { action: 'operator.role-changed', target: id, ...roleDetails(role) };
        await recordAction({ ...parts, db: tx }, request, entry);
      });
      return reply.status(204).send();
    },
  );

  app.delete(
    '/operators/:id',
    { config: { needs: 'manage' }, schema: { params, response: { 204: z.undefined() } } },
    async (request, reply) => {
      const id = idFrom(request.params.id, 'operator');
      await db.transaction().execute(async (tx) => {
        const outcome = await removeOperator(tx, id, clock.now());
        if (outcome === 'unknown') throw nothing('operator');
        if (outcome === 'last') throw refuse('LAST_OPERATOR');
        await recordAction({ ...parts, db: tx }, request, { action: 'operator.removed', target: id });
      });
      return reply.status(204).send();
    },
  );
}

const roleDetails = ({ role, accountId }: RoleRecord) => ({
  details: { role },
  ...(accountId !== null && { accountId }),
});

/** `note` explains how to complete a link that has no host. */
const showMadeLink = ({ link, expiresAt }: SignInLink) => ({
  link,
  expires_at: expiresAt.toISOString(),
  ...(link.startsWith('/') && { note: RELATIVE_LINK_NOTE }),
});
