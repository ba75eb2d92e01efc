import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  deletePasskey,
  findPasskeysOf,
  insertPasskey,
  type ListedPasskey,
  listPasskeys,
  renamePasskey,
} from '#storage/console/passkeys.ts';
import { rolesWith } from '../access/roles.ts';
import { recordAction } from '../audit/record-action.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { creationOptions, newCredential, type Passkey, passkey, passkeyPage } from '../contract/passkeys.ts';
import { refuse } from '../errors.ts';
import type { OperatorApp } from '../operator-app.ts';
import { idFrom, nameText, nothing, pageQuery, pageWithin } from '../page.ts';
import { getOperator } from '../session/session-guard.ts';
import { makeChallenge, openChallenge } from './challenges.ts';
import { limitChallenges } from './limit-challenges.ts';
import { relyingPartyOf } from './relying-party.ts';
import { rejected } from './sign-in-with-passkey.ts';
import { creationOptionsFor, verifyNewPasskey } from './web-authn.ts';

const MAX_PASSKEYS = 20;
const MAX_SMALL_BYTES = 1_000;
/** A name has at most 200 characters, and the fields of a response 17,048. */
const MAX_RESPONSE_BYTES = 20_000;

const params = z.object({ id: z.string() });
const added = z.strictObject({ name: nameText, credential: newCredential });
const renamed = z.strictObject({ name: nameText });

/** People add, rename and remove their own passkeys. Operators also remove those of others, for a lost device. */
export function passkeyRoutes(app: OperatorApp, parts: ConsoleParts): void {
  const { db, clock, ids } = parts;
  const { publicUrl } = parts.settings;
  const config = { needs: 'self' } as const;

  app.get(
    '/passkeys',
    { config, schema: { querystring: pageQuery, response: { 200: passkeyPage } } },
    async (request) => {
      const { operatorId: self, role } = getOperator(request);
      const of = rolesWith.inspect.includes(role) ? undefined : self;
      return pageWithin(
        (await listPasskeys(db, of)).map((each) => showPasskey(each, self)),
        request.query,
      );
    },
  );

  app.post(
    '/passkeys/options',
    {
      bodyLimit: MAX_SMALL_BYTES,
      config,
      onRequest: limitChallenges(parts, (request) => getOperator(request).operatorId),
      schema: { response: { 200: creationOptions } },
    },
    async (request) => {
      const { operatorId: id, operatorName: name } = getOperator(request);
      const party = relyingPartyOf(request, publicUrl);
      const challenge = await makeChallenge(parts, id);
      return creationOptionsFor({ id, name }, await findPasskeysOf(db, id), { party, challenge });
    },
  );

  app.post(
    '/passkeys',
    { bodyLimit: MAX_RESPONSE_BYTES, config, schema: { body: added, response: { 201: passkey } } },
    async (request, reply) => {
      const { name, credential } = request.body;
      const { operatorId, operatorName } = getOperator(request);
      const party = relyingPartyOf(request, publicUrl);
      const challenge = await openChallenge(parts, credential.response.clientDataJSON, operatorId);
      const verified = await verifyNewPasskey(credential, { party, challenge: challenge.text });
      if (typeof verified === 'string') {
        await challenge.drop();
        throw rejected(verified);
      }
      const { transports } = credential.response;
      const made = { id: ids.uuid(), operatorId, name, rpId: party.id, transports, now: clock.now() };
      await db.transaction().execute(async (tx) => {
        await challenge.spend(tx);
        const outcome = await insertPasskey(tx, { ...made, ...verified }, MAX_PASSKEYS);
        if (outcome === 'removed-person') throw refuse('SIGN_IN_REQUIRED');
        if (outcome === 'exists') throw refuse('PASSKEY_EXISTS');
        if (outcome === 'too-many')
          throw refuse('TOO_MANY_PASSKEYS', `A person can have ${MAX_PASSKEYS} passkeys. Remove one first.`);
        await recordAction(
          { ...parts, db: tx },
          request,
          entryOf('passkey.added', made.id, operatorId, name),
        );
      });
      const shown = {
        id: made.id,
        operator_id: operatorId,
        operator_name: operatorName,
        name,
        rp_id: party.id,
      };
      return reply
        .status(201)
        .send(showPasskey({ ...shown, created_at: made.now, last_used_at: null }, operatorId));
    },
  );

  app.patch(
    '/passkeys/:id',
    {
      bodyLimit: MAX_SMALL_BYTES,
      config,
      schema: { params, body: renamed, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      const id = idFrom(request.params.id, 'passkey');
      const { name } = request.body;
      const { operatorId } = getOperator(request);
      await db.transaction().execute(async (tx) => {
        if (!(await renamePasskey(tx, id, operatorId, name))) throw nothing('passkey');
        await recordAction({ ...parts, db: tx }, request, entryOf('passkey.renamed', id, operatorId, name));
      });
      return reply.status(204).send();
    },
  );

  app.delete(
    '/passkeys/:id',
    { bodyLimit: MAX_SMALL_BYTES, config, schema: { params, response: { 204: z.undefined() } } },
    async (request, reply) => {
      const id = idFrom(request.params.id, 'passkey');
      await db.transaction().execute(async (tx) => {
        const deleted = await deletePasskey(tx, id, removesOnly(request));
        if (deleted === undefined) throw nothing('passkey');
        const { operator_id, name } = deleted;
        await recordAction({ ...parts, db: tx }, request, entryOf('passkey.removed', id, operator_id, name));
      });
      return reply.status(204).send();
    },
  );
}

/** The operator whose passkeys the person can remove; undefined: those of everyone. */
const removesOnly = (request: FastifyRequest): string | undefined => {
  const { operatorId, role } = getOperator(request);
  return rolesWith.manage.includes(role) ? undefined : operatorId;
};

const entryOf = (action: string, target: string, operator_id: string, name: string) => ({
  action,
  target,
  details: { operator_id, name },
});

const showPasskey = (each: ListedPasskey, self: string): Passkey => ({
  id: each.id,
  operator: { id: each.operator_id, name: each.operator_name },
  name: each.name,
  rp_id: each.rp_id,
  created_at: each.created_at.toISOString(),
  last_used_at: each.last_used_at?.toISOString() ?? null,
  is_own: each.operator_id === self,
});
