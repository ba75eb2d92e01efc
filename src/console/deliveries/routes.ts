import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { redeliver } from '#engine/webhooks/redeliver.ts';
import { isUuid } from '#lib/ids.ts';
import { findEventBody, listDeliveries } from '#storage/console/list-deliveries.ts';
import { readOnly } from '#storage/read-replica.ts';
import { listAttempts } from '#storage/webhooks.ts';
import { onlyAccount } from '../access/signed-in-person.ts';
import { accountFilter, getNamedAccount } from '../accounts/find-named-account.ts';
import { recordAction } from '../audit/record-action.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { deliveryDetail, deliveryPage, webhookTest } from '../contract/deliveries.ts';
import { refuse } from '../errors.ts';
import type { OperatorApp } from '../operator-app.ts';
import { idFrom, nothing, pageOf, pageQuery, searchText, uuidCursor } from '../page.ts';
import { showAttempt, showDelivery } from './delivery-view.ts';
import { sendTestEvent } from './send-test.ts';

const params = z.object({ id: z.string() });
const listQuery = pageQuery.extend({
  account: z.string().optional(),
  state: z.enum(['pending', 'failing', 'delivered', 'exhausted']).optional(),
  event: searchText.optional(),
  job: z.string().optional(),
});
const testBody = (surfaces: readonly string[]) =>
  z.strictObject({
    account: z.string().min(1).max(200),
    surface: z.enum(surfaces),
    url: z.string().min(1).max(2048),
    secret: z.string().min(1).max(500).optional(),
  });

/** Webhook deliveries and their attempts: list, read, redeliver, send a test event. */
export function deliveryRoutes(app: OperatorApp, parts: ConsoleParts): void {
  const { db, views, webhooks, signals } = parts;

  app.get(
    '/deliveries',
    { config: { needs: 'view-data' }, schema: { querystring: listQuery, response: { 200: deliveryPage } } },
    async (request) => {
      const { account, state, event, job, limit, cursor } = request.query;
      const jobId = job === undefined ? undefined : views.parseId(job);
      if (job !== undefined && jobId === undefined) throw nothing('job');
      const filter = {
        accountId: await accountFilter(db, request, account),
        state,
        ...(event !== undefined && (isUuid(event) ? { eventId: event } : { eventType: event })),
        jobId,
        before: uuidCursor(cursor),
        limit,
      };
      const rows = await readOnly(db, (reader) => listDeliveries(reader, filter));
      return pageOf(rows, limit, showDelivery, ({ id }) => id);
    },
  );

  /** Finds a delivery. Deliveries of accounts that the person may not see do not exist. */
  const find = async (request: FastifyRequest, id: string) => {
    const accountId = onlyAccount(request);
    const [delivery] = await listDeliveries(db, { id, accountId, limit: 1 });
    if (delivery === undefined) throw nothing('delivery');
    return delivery;
  };
  const show = async (request: FastifyRequest, id: string) => {
    const delivery = await find(request, id);
    const attempts = await listAttempts(db, id);
    const body = await findEventBody(db, delivery.event_id);
    return { ...showDelivery(delivery), attempts: attempts.map(showAttempt), body: body?.toString() ?? null };
  };
  app.get(
    '/deliveries/:id',
    { config: { needs: 'view-data' }, schema: { params, response: { 200: deliveryDetail } } },
    async (request) => {
      const id = idFrom(request.params.id, 'delivery');
      const delivery = await show(request, id);
      await recordAction(parts, request, { action: 'delivery.read', target: id });
      return delivery;
    },
  );

  app.post(
    '/deliveries/:id/redeliver',
    { config: { needs: 'design' }, schema: { params, response: { 200: deliveryDetail } } },
    async (request) => {
      const id = idFrom(request.params.id, 'delivery');
      await find(request, id);
      const outcome = await redeliver(webhooks, id, (tx) =>
        recordAction({ ...parts, db: tx }, request, { action: 'delivery.redelivered', target: id }),
      );
      if (!outcome.ok) {
        if (outcome.reason === 'unknown') throw nothing('delivery');
        throw refuse('DELIVERY_RUNNING');
      }
      signals.workAdded('webhook');
      return show(request, outcome.deliveryId);
    },
  );

  app.post(
    '/webhook-tests',
    {
      config: { needs: 'design' },
      schema: { body: testBody(parts.keyKinds.surfaces), response: { 200: webhookTest } },
    },
    async (request) => {
      const { surface, url, secret: given } = request.body;
      const account = await getNamedAccount(db, request, request.body.account);
      const { deliveryId, secret } = await sendTestEvent(
        parts,
        { account, surface, url, secret: given },
        (tx, target) =>
          recordAction({ ...parts, db: tx }, request, {
            action: 'webhook.tested',
            accountId: account.id,
            target,
          }),
      );
      const delivery = await show(request, deliveryId);
      return { delivery, attempt: delivery.attempts.at(-1) ?? null, ...(given === undefined && { secret }) };
    },
  );
}
