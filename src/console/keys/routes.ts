import { z } from 'zod';
import { createKey } from '#engine/keys/create-key.ts';
import { MAX_IP_RANGES, parseIpRange } from '#engine/keys/ip-ranges.ts';
import { type KeyKinds, lifetimes } from '#engine/keys/key-kinds.ts';
import { listKeys, revokeKey } from '#storage/keys/api-keys.ts';
import { getNamedAccount } from '../accounts/find-named-account.ts';
import { recordAction } from '../audit/record-action.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { apiKey, apiKeyPage, createdKey, expiringKeys, keyOptions } from '../contract/keys.ts';
import { refuse } from '../errors.ts';
import type { OperatorApp } from '../operator-app.ts';
import { nameText, nothing, pageQuery, pageWithin } from '../page.ts';
import { withinKeyRates } from './key-rates.ts';
import { rotateKeyRoute } from './rotate.ts';
import { showExpiring } from './show-expiring.ts';
import { showKey } from './show-key.ts';

const ipRange = z
  .string()
  .max(60)
  .transform((text, context) => {
    const range = parseIpRange(text);
    if (range !== undefined) return range;
    context.addIssue(`"${text}" is not an IP address or CIDR range`);
    return z.NEVER;
  });
const keyBody = (kinds: KeyKinds) =>
  z
    .strictObject({
      surface: z.enum(kinds.surfaces),
      account: z.string().min(1).max(200),
      name: z.union([nameText, z.literal('')]).optional(),
      days: z.literal([...lifetimes]).optional(),
      scopes: z.array(z.string()).min(1).max(50).optional(),
      partner: nameText.optional(),
      warehouses: z.array(nameText).min(1).max(100).optional(),
      ip_ranges: z.array(ipRange).min(1).max(MAX_IP_RANGES).optional(),
    })
    .superRefine(({ surface, scopes, partner, warehouses }, context) => {
      const kind = kinds.get(surface);
      const say = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      const unknown = kinds.findUnknownScope(surface, scopes);
      if (unknown !== undefined) say('scopes', `"${unknown.slice(0, 50)}" is not a scope of this surface`);
      const misplaced = `is for keys of the ${kinds.namesWith(({ partnered }) => partnered)} surface`;
      if (!kind.partnered && partner !== undefined) say('partner', misplaced);
      if (!kind.partnered && warehouses !== undefined) say('warehouses', misplaced);
    });

/** API keys of all surfaces: create, list without secrets, rotate, revoke. */
export function keyRoutes(app: OperatorApp, parts: ConsoleParts): void {
  const { db, clock, ids, keyKinds, limits, settings, forgetKey } = parts;
  const find = async (id: string) => {
    const [key] = await listKeys(db, { id });
    if (key === undefined) throw nothing('key');
    return key;
  };

  app.get(
    '/keys',
    {
      config: { needs: 'inspect' },
      schema: {
        querystring: pageQuery.extend({
          account: z.string().optional(),
          key: z.string().max(100).optional(),
          surface: z.enum(keyKinds.surfaces).optional(),
        }),
        response: { 200: apiKeyPage },
      },
    },
    async (request) => {
      const { account, surface, key } = request.query;
      const filter = {
        ...(key !== undefined && key !== '' && { id: key }),
        ...(account !== undefined && { account: (await getNamedAccount(db, request, account)).name }),
        ...(surface !== undefined && { surface }),
      };
      const now = clock.now();
      return pageWithin(
        (await listKeys(db, filter)).map((key) => showKey(key, now)),
        request.query,
      );
    },
  );

  app.get(
    '/keys/options',
    { config: { needs: 'inspect' }, schema: { response: { 200: keyOptions } } },
    async () => ({
      surfaces: keyKinds.surfaces.map((name) => {
        const { scopes, optionalScopes, maxLive, partnered } = keyKinds.get(name);
        return {
          name,
          scopes,
          optional_scopes: optionalScopes,
          default_days: settings.keyDays[name] ?? null,
          max_live_keys: maxLive,
          partnered,
        };
      }),
      lifetimes,
    }),
  );

  app.post(
    '/keys',
    { config: { needs: 'manage' }, schema: { body: keyBody(keyKinds), response: { 201: createdKey } } },
    async (request, reply) => {
      const { account: named, ip_ranges: ipRanges, ...order } = request.body;
      const account = await getNamedAccount(db, request, named);
      const make = async () => {
        const created = await createKey(
          { db, kinds: keyKinds, clock, ids, plan: settings.plan, defaultDays: settings.keyDays },
          { ...order, ipRanges, account: account.name },
          (tx, { id, surface, scopes, expiresAt }) =>
            recordAction({ ...parts, db: tx }, request, {
              action: 'key.created',
              accountId: account.id,
              target: id,
              details: { surface, scopes, expires_at: expiresAt },
            }),
        );
        return { changed: created.ok, answer: created };
      };
      const created = keyKinds.get(order.surface).limitedChanges
        ? await withinKeyRates(limits, 'create', account.id, make)
        : (await make()).answer;
      if (!created.ok)
        throw refuse(
          'TOO_MANY_KEYS',
          `The account already has ${created.limit} live keys. Revoke one first.`,
        );
      const { id } = created.record;
      return reply.status(201).send({ ...showKey(await find(id), clock.now()), key: created.key });
    },
  );

  app.get(
    '/keys/expiring',
    { config: { needs: 'inspect' }, schema: { response: { 200: expiringKeys } } },
    async () => ({
      within_days: settings.keyWarningDays[0] ?? 0,
      items: await showExpiring(parts),
    }),
  );

  rotateKeyRoute(app, parts, find);

  const revokeSchema = { params: z.object({ id: z.string() }), response: { 200: apiKey } };
  app.delete('/keys/:id', { config: { needs: 'manage' }, schema: revokeSchema }, async (request) => {
    const { id } = request.params;
    const key = await find(id);
    const account = await getNamedAccount(db, request, key.account_name);
    const revoke = async () => {
      const changed = await db.transaction().execute(async (tx) => {
        const revoked = await revokeKey(tx, id, clock.now());
        const entry = { action: 'key.revoked', accountId: account.id, target: id };
        if (revoked?.changed === true) await recordAction({ ...parts, db: tx }, request, entry);
        return revoked?.changed === true;
      });
      return { changed, answer: undefined };
    };
    if (keyKinds.get(key.surface).limitedChanges) await withinKeyRates(limits, 'revoke', account.id, revoke);
    else await revoke();
    forgetKey(id);
    return showKey(await find(id), clock.now());
  });
}
