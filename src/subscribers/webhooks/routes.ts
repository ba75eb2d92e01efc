import { randomBytes } from 'node:crypto';
import { judgeTarget } from '#engine/webhooks/target-guard.ts';
import { jsonResponse } from '#http/idempotency/wire-response.ts';
import { getPrincipal } from '#http/principal.ts';
import { withEntry } from '#storage/console/due-entry.ts';
import {
  deleteWebhookSubscription,
  findWebhookSubscription,
  insertWebhookSubscription,
  listWebhookSubscriptions,
  summariseDeliveries,
  updateWebhookSubscription,
} from '#storage/subscribers/webhook-subscriptions.ts';
import { itemOf } from '../contract.ts';
import { answerOnce } from '../http/idempotency.ts';
import { gone, invalid, no } from '../http/refusals.ts';
import { resource } from '../http/resource.ts';
import type { RouteKit, SurfaceApp } from '../http/route-kit.ts';
import { createBody, deleted, params, subscription, updateBody, withSecret } from './contract.ts';
import { EVENT_PATTERNS } from './event-types.ts';
import { showSubscription } from './views.ts';

const MAX_SUBSCRIPTIONS = 20;
/** After a rotation both secrets sign for a day, so that receivers can switch. */
const OLD_SECRET_MS = 86_400_000;

const tags = ['Webhooks'];

/** Standard Webhooks: `whsec_` and base64 of 24 to 64 bytes. */
function newSecret(): { readonly secret: string; readonly preview: string } {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  return { secret, preview: `whsec_…${secret.slice(-4)}` };
}

export function webhookRoutes(app: SurfaceApp, kit: RouteKit): void {
  const { deps, requests, open, openOnce } = kit;
  const { db, clock, ids, secrets, settings } = deps;

  /** Checks only the text. Every attempt checks the address that it connects to. */
  const checkUrl = (url: string) => {
    const verdict = judgeTarget(url, settings.webhookAllow);
    if (!verdict.ok) throw invalid('url', `is not a public https address: ${verdict.reason}`);
    return url;
  };
  const checkPatterns = (patterns: readonly string[]) => {
    if (!patterns.every((pattern) => EVENT_PATTERNS.includes(pattern)))
      throw invalid('event_patterns', 'contains an event that does not exist');
    return [...new Set(patterns)];
  };
  const { idOf, showOne } = resource(app, kit, {
    path: '/webhook-subscriptions',
    idName: 'webhook_subscription_id',
    noun: 'webhook subscription',
    plural: 'webhook subscriptions',
    type: 'WebhookSubscription',
    tags,
    scope: 'webhooks:read',
    wire: subscription,
    params,
    list: (accountId, page) => listWebhookSubscriptions(db, accountId, page),
    find: (accountId, id) => findWebhookSubscription(db, accountId, id),
    show: async (accountId, rows) => {
      const sent = await summariseDeliveries(db, accountId, [...new Set(rows.map(({ url }) => url))]);
      return (row) => showSubscription(row, sent.get(row.url));
    },
  });

  app.post(
    '/webhook-subscriptions',
    {
      ...openOnce(['webhooks:write'], ['webhook_subscription_limit_exceeded']),
      schema: {
        operationId: 'createWebhookSubscription',
        summary: 'Subscribe to events; the signing secret is shown only here',
        description: 'Subscribes a receiver to events. Store the signing secret: it is not shown again.',
        tags,
        body: createBody,
        response: { 201: withSecret },
      },
    },
    (request, reply) =>
      answerOnce(
        requests,
        request,
        reply,
        'subscribers.webhook',
        async (tx) => {
          const { accountId } = getPrincipal(request);
          const { secret, preview } = newSecret();
          const url = checkUrl(request.body.url);
          const row = {
            id: ids.uuid(),
            account_id: accountId,
            name: request.body.name ?? new URL(url).host,
            url,
            status: request.body.status ?? 'active',
            event_patterns: checkPatterns(request.body.event_patterns),
            secret: secrets.seal(secret),
            secret_preview: preview,
            created_at: clock.now(),
            updated_at: clock.now(),
          };
          if (!(await insertWebhookSubscription(tx, row, MAX_SUBSCRIPTIONS)))
            throw no(
              'webhook_subscription_limit_exceeded',
              `An account can have at most ${MAX_SUBSCRIPTIONS} webhook subscriptions.`,
            );
          const made = { ...row, old_secret: null, old_secret_ends: null };
          return jsonResponse(201, {
            data: { subscription: showSubscription(made, undefined), signing_secret: secret },
          });
        },
        { sealed: true },
      ),
  );

  app.put(
    '/webhook-subscriptions/:webhook_subscription_id',
    {
      ...open(['webhooks:write']),
      schema: {
        operationId: 'updateWebhookSubscription',
        summary: 'Update a webhook subscription',
        description: 'Changes the members that are sent; the others stay as they are.',
        tags,
        params,
        body: updateBody,
        response: { 200: itemOf(subscription) },
      },
    },
    async (request) => {
      const { accountId } = getPrincipal(request);
      const { name, url, event_patterns, status } = request.body;
      const values = {
        ...(name !== undefined && { name }),
        ...(url !== undefined && { url: checkUrl(url) }),
        ...(event_patterns !== undefined && { event_patterns: checkPatterns(event_patterns) }),
        ...(status !== undefined && { status }),
        updated_at: clock.now(),
      };
      return {
        data: await showOne(
          accountId,
          await withEntry(db, async (tx) => {
            const changed = await updateWebhookSubscription(tx, accountId, idOf(request.params), values);
            if (changed === undefined) throw gone('webhook subscription');
            return changed;
          }),
        ),
      };
    },
  );

  app.delete(
    '/webhook-subscriptions/:webhook_subscription_id',
    {
      ...open(['webhooks:write']),
      schema: {
        operationId: 'deleteWebhookSubscription',
        summary: 'Delete a webhook subscription',
        description: 'Ends the deliveries to a receiver.',
        tags,
        params,
        response: { 200: deleted },
      },
    },
    async (request) => {
      const id = idOf(request.params);
      await withEntry(db, async (tx) => {
        if (!(await deleteWebhookSubscription(tx, getPrincipal(request).accountId, id)))
          throw gone('webhook subscription');
      });
      return { data: { id, deleted: true as const } };
    },
  );

  app.post(
    '/webhook-subscriptions/:webhook_subscription_id/rotate-secret',
    {
      ...open(['webhooks:write']),
      schema: {
        operationId: 'rotateWebhookSubscriptionSecret',
        summary: 'Rotate the signing secret; the old one stays valid for a day',
        description: 'Creates a new signing secret. For a day, events carry a signature of each secret.',
        tags,
        params,
        response: { 200: withSecret },
      },
    },
    async (request) => {
      const { accountId } = getPrincipal(request);
      const id = idOf(request.params);
      const now = clock.now();
      const { secret, preview } = newSecret();
      const rotated = await withEntry(db, async (tx) => {
        const before = await findWebhookSubscription(tx, accountId, id);
        if (before === undefined) throw gone('webhook subscription');
        return updateWebhookSubscription(tx, accountId, id, {
          secret: secrets.seal(secret),
          secret_preview: preview,
          old_secret: before.secret,
          old_secret_ends: new Date(now.getTime() + OLD_SECRET_MS),
          updated_at: now,
        });
      });
      return { data: { subscription: await showOne(accountId, rotated), signing_secret: secret } };
    },
  );
}
